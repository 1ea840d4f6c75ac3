// Package flatmappublished re-creates the benchmark on which "do not use
// sync.Pool for FlatMapper slices" was published, so that poolproof can be seen
// to reject it.
//
// One goroutine makes five Results of each input and sends them on a channel,
// another receives them. The four forms differ in where the five Results are
// collected. But their number is a constant and the slice does not leave the
// function, so the compiler keeps it on the stack: the form that is said to
// allocate for each input does not allocate at all, and a pool, which can only
// save allocations, has nothing to save. The counters gave it away when it was
// published: 3 allocations an operation in all four forms.
//
// The published code was not kept; this is our own, from its description and
// its counters. The study flatmap-slices asks the same question of the real
// pipeline.
package flatmappublished
