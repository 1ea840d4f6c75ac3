// Package practice is the study of what matters where a large value is replaced
// now and then, which the published benchmark of its parent package does not
// show: there writers replace maps as fast as they can.
//
// A configuration, an index or a cache is loaded anew every few seconds or
// minutes. Then collections run between two reloads, readers meet one reload
// once, and the change is often small. So five things are asked, each in a file:
//
//	reload.go   what a reload costs after 0, 1 or 2 collections, and whether a
//	            table is made for it
//	serve.go    what is left of that where requests make the garbage
//	latency.go  how long single lookups take while the table is replaced
//	release.go  what the last reader of a replaced table pays for leaving
//	change.go   what a change of ten entries costs
//
// The arms are those of the parent package, one with a Reader for each goroutine,
// and for changes one that replays them (hotswap.Delta).
//
// The benchmarks are functions that take the arms, so that studies/peers/hotswap
// can put other people's locks beside them.
package practice
