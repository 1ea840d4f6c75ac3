// Package mark tells `poolproof test` about memory that an allocator of your
// own hands out and takes back: a free list on a channel, an arena, a slab.
// sync.Pool is watched without it.
//
//	func (a *arena) free(b []byte) {
//		mark.Put(unsafe.Pointer(unsafe.SliceData(b)), uintptr(cap(b)))
//		a.list = append(a.list, b)
//	}
//
//	func (a *arena) alloc() []byte {
//		b := ... // from a.list
//		mark.Get(unsafe.Pointer(unsafe.SliceData(b)), uintptr(cap(b)))
//		return b
//	}
//
// From Put until the next Get every access to the range is a misuse, and so is
// a second Put. In a normal build both functions are empty and cost nothing:
// they are inlined away.
//
// # What is watched
//
// Memory of the Go heap, in whole units of eight bytes. A range may come back
// in parts: a Get of some bytes of a free range leaves the bytes before and after
// them free. The allocator itself must not touch free memory either: one
// that keeps its list in the free blocks calls Get first.
//
// # The build tag
//
// The tag poolproofmark turns the calls on. `poolproof test` sets it, and brings
// the runtime that answers them; with another runtime a program that has the
// tag does not link.
package mark
