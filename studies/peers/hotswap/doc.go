// Package hotswappeers puts other ways of sharing a value that is replaced
// beside package hotswap, in one binary and under the same work:
//
//	published.go  what is written by hand, and the published design: a count of
//	              readers behind a lock, an atomic pointer, RWMutex
//	xsync.go      xsync's RBMutex
//	ours.go       package hotswap by each of its calls, and hotswap/poolswap
//
// The values are arrays of 64 bytes, 1 KiB and 64 KiB. For a map of 100,000
// entries, large.go puts RBMutex beside the arms of studies/hot-swap/practice,
// whose benchmarks are used.
//
// The versions are those of go.mod. Nothing here is part of a program's build:
// the module stands outside the workspace and nobody requires it.
//
// Each folder with a study.toml is a question to poolproof try. README.md has the
// tables, and cmd/tables prints what needs no clock.
package hotswappeers
