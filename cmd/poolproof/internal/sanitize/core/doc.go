// Package core holds the data structures of the sync.Pool sanitizer: the
// shadow of the heap, the table of pooled memory, the depot of stacks, and the
// rule that says what a Put object owns.
//
// It is an ordinary package so that it can be tested and fuzzed as one. Package
// toolchain copies its files, except host.go and the tests, into the runtime of
// the program under test, with every package-level name prefixed. So they may
// import nothing but unsafe, and must keep the runtime's rules: no allocation,
// no write barrier (no stored pointer into the heap: addresses are numbers
// here), no string concatenation, no append, no interface, no map, no panic
// that a caller could recover. What they need from their surroundings is
// declared in host.go for the tests, and in the runtime's files for the runtime.
//
// # Locking
//
// Nothing here locks. The rule that the runtime keeps: memory of a shard of the
// Table, and the shadow bytes of the ranges whose records live in that shard,
// are changed only under that shard's lock; no two shard locks are held at
// once; the Depot and the Sites are read without a lock and changed under
// their own; Tallies belong to one processor each; Pools and Ages need no lock.
// Shadow bytes are read without a lock by every memory access. That
// is enough: a mark happens before the end of the Put that makes it, so it is
// seen by every access that the program orders after the Put, and a mark is
// cleared by the sweep before the memory can be allocated again. An access that
// the program does not order after the Put may miss the mark; it is a data race,
// which this tool does not promise to find.
package core
