// Package bufferpeers puts other people's pools of byte buffers beside package
// buffer, in one binary, under the same names and the same work.
//
// Each peer is one file-local type or a few lines in a file named for its kind:
//
//	plain.go    no pool, and sync.Pool as it is used by hand
//	sized.go    peers that are asked for a size
//	growing.go  peers whose buffers are written to and grow
//	ours.go     package buffer, by each of its calls and clearing policies
//
// A peer says how one loop of Get, touch and Put looks in its own words (Pairs),
// which is what benchmarks time, and how a buffer is taken, written, measured
// and given back (native), from which everything that is counted comes.
//
// The versions are those of go.mod. Nothing here is part of a program's build:
// the module stands outside the workspace and nobody requires it.
//
// The benchmarks are made for
//
//	poolproof try -vary pool -baseline sync -bench 'BenchmarkPair/size=4KiB' ./studies/peers/buffer
//
// and the command in cmd/tables prints what needs no clock.
package bufferpeers
