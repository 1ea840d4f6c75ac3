// Package flatmapslices is the study of one question: in a pipeline of
// goroutines and channels, does it pay to reuse the slice in which a stage
// that makes many items of one collects its results?
//
// The pipeline is the published one, written anew: an item is a Result, which
// holds a value or an error; each stage is a goroutine that sends to a channel
// of 64 items; each send also waits for the end of the context; a panic of the
// user's function becomes an item. What differs is the flat-map stage. There
// is one file for each form of it, and each form is an arm of the study:
//
//	make       a new slice for each input, as published
//	pool       the slice from a pool.Pool
//	syncpool   the slice from a bare sync.Pool
//	direct     no slice: each value is sent as it is found
//	stack      an array in the stage's frame
//	scratch    the user's function appends to a slice that the stage owns
//	iter       the user's function returns an iterator, and the stage runs it
//	iterlib    the same behind the published iterator type
//	iterslice  the user's slice behind the published iterator type
//
// Four more arms have no channel of Results: streams of package flow (flow.go).
//
// The isolated benchmarks run the slice alone, without a pipeline: the other
// way in which the question was asked.
//
// study.toml holds the question and what is expected, VERDICT.md the answer.
package flatmapslices
