// Package flowpeers puts other ways of running a pipeline beside package flow, in one
// binary and on the same work:
//
//	20,000 inputs → map (one in 1,000 fails) → flat map (five of each) → filter → sum
//
// which is 100,000 items. Each way is written as its users would write it, with
// functions that are not inlined, and is held to the result of a plain loop.
//
//	ours.go       package flow: fused, with goroutines, watched
//	published.go  a goroutine and a channel of Results for each stage, a select for
//	              each send, a recover for each call: what the others are measured by
//	byhand.go     loops, channels with an errgroup, iterators of one's own
//	others.go     other people's libraries
package flowpeers
