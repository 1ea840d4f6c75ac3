// Package arrowmem provides memory allocators for Apache Arrow. Each has the
// three methods of the interface Allocator of arrow-go's package arrow/memory
// and so satisfies it, but the package imports the standard library and
// [github.com/poolproof/poolproof/buffer] only.
//
// Arrow asks for the same sizes batch after batch. An allocator that hands the
// freed memory out again saves the collector that work:
//
//	mem := arrowmem.NewRecycler(arrowmem.Options{})
//	builder := array.NewRecordBuilder(mem, schema)
//
// # Which allocator
//
//   - [Recycler] by default. Its memory lies on the Go heap, in size classes. A
//     Release that is forgotten is only a missed reuse: the collector takes the
//     memory.
//   - [Go] makes new memory each time. It is the baseline.
//   - [Guard] is for tests: it finds leaks and misuse.
//
// Memory of the Go heap may not be kept by C code. A program that shares records
// through the C data interface takes arrow-go's package arrow/memory/mallocator.
//
// # The contract
//
// Memory that Allocate(n) returns has length n, begins at a multiple of 64
// bytes, and reads as zero. Reallocate keeps the first bytes and adds zeros.
// Zeroing is not optional in practice: arrow-go leaves the slots of nulls
// unwritten and the IPC format ships them, so an allocator that does not clear
// sends old data to the next reader. [Options.NoZero] is for measuring that cost.
// Allocate(0) returns an empty slice that is not nil, and freeing an empty slice
// does nothing. A negative size panics.
//
// The caller owns the memory from Allocate or Reallocate until Free, or until
// Reallocate is called with it. Free accepts a slice of the memory that begins
// where the memory begins, since arrow-go may have shortened it.
//
// All allocators are safe for concurrent use. Each has a method AllocatedBytes:
// the sum of the lengths that were handed out and not freed.
package arrowmem
