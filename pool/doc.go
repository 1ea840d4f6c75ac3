// Package pool keeps objects for reuse: a typed sync.Pool that can be told how
// to make an object, how to clean one, which ones to keep, and what to count.
//
//	var buffers = pool.New(pool.Options[bytes.Buffer]{
//		Reset: (*bytes.Buffer).Reset,
//	})
//
//	b := buffers.Get() // *bytes.Buffer, the caller's alone
//	...
//	buffers.Put(b) // given up: b must not be used after this
//
// # Ownership
//
// [Pool.Get] hands an object to its caller, who owns it until [Pool.Put]. After Put
// the next Get, by any goroutine, may return the same object. A goroutine that
// still reads or writes it, or a part of it such as the bytes of a buffer, then
// works on the data of the next owner. An object is put at most once for each Get.
// An object that is never put is simply garbage collected; only the saving is lost.
//
// A function that puts an object must return copies of its contents. The String of
// a bytes.Buffer is a copy; its Bytes are not.
//
// # Memory model
//
// In the terms of the Go memory model, Put of x synchronizes before the Get that
// returns x: the next owner sees all that the last one wrote. Nothing else is
// promised: a Put and the Get of another object are not ordered.
//
// # What a pool keeps
//
// Without further rules a Pool keeps what sync.Pool keeps. An object that no Get
// took during two garbage collections is dropped, the number of objects is not
// bounded, and each processor has its own. An object keeps the memory that it has
// grown to: after one large use it stays large for the small ones that
// follow. The rules among the [Options] change each of these:
//
//   - MaxSize drops an object that has grown beyond a size.
//   - DropUnderused drops a large object that has been used little several times
//     running, whatever its size. Prefer it where the sizes are not known.
//   - Keep drops what it says, for any other reason.
//   - Reserve keeps a number of objects across collections, for uses that are
//     rarer than those. They are dropped after 8 collections without a use.
//
// The rules are applied by Put, in this order: the sizes are read, then MaxSize,
// DropUnderused and Keep are asked, then Reset cleans what is kept. A pool pays for
// the rules that it has; docs/benchmarks.md tells how much.
//
// # When not to use one
//
// A goroutine that uses one object after the other needs no pool: a variable
// of its own costs less, and Local is one that shares what it does not need.
// Nor does a value that the compiler can keep on the stack, or one that is used
// so rarely that two collections empty the pool in between (Reserve is for
// those that are expensive to make). Byte slices of several sizes belong in
// size classes (package buffer), not in one pool whose every object grows to the largest size.
// Connections and other things that must be closed do not belong in a pool of
// this kind, which drops objects without closing them. Measure first.
//
// # From sync.Pool, and to sync/v2
//
// What stands on the left becomes what stands on the right. The last two are the
// typed pool that is proposed for the standard library (golang/go#71076), which pools
// a T where this package pools a *T; the way back is the same line read from the
// right.
//
//	sync.Pool{New: func() any { return new(T) }}    pool.New(pool.Options[T]{})
//	sync.Pool{New: func() any { return newT() }}    pool.New(pool.Options[T]{New: newT})
//	p.Get().(*T), p.Put(x)                          p.Get(), p.Put(x)
//	if x, _ := p.Get().(*T); x == nil { x = ... }   Options.New, which is asked then
//	x.Reset(); p.Put(x)                             p.Put(x), with Options.Reset
//
//	type Pool[T any] struct { New func() T }
//	sync.Pool[*T]{New: newT}                        pool.New(pool.Options[T]{New: newT})
//	Get() *T, Put(*T)                               the same
//
// A T that is no pointer, as in a sync.Pool[[]byte], has no form here: package buffer
// has one for bytes. The zero Pool cannot be used: what a Get of one would have to do
// does not fit into a Get that the compiler inlines.
//
// # Statistics
//
// Stats tells how often the pool had nothing and made an object (a miss), how
// many it dropped and why, and what its reserve holds. This costs nothing while
// the pool has what is asked for. Options.Stats asks for more: Uses counts each
// Get and Put; Leaks knows which objects are out, and counts those that the
// garbage collector took from an owner who forgot to put them. All yields the
// Stats of all pools that have a name.
//
// # The checked build
//
// With -tags poolproofdebug the package checks its callers, at the cost of all
// reuse: each Get makes a new object, so that an address tells one use from
// another. A second Put of an object panics, with the stacks of its Get and of
// both Puts. An object that was put is watched for a while: if its memory (that
// of the T itself, not what it points to) is written, a later Put or Trim panics
// with the stacks of its Get and Put, or package pooltest reports it. Leaks lists the
// objects that are out, and package pooltest fails a test that leaves some.
package pool
