// Package buffer keeps byte buffers of many sizes for reuse, in size classes.
//
//	var buffers = buffer.New(buffer.Options{})
//
//	b := buffers.Get(9000) // *buffer.Buffer of length 9000, the caller's alone
//	defer b.Release()      // given up: b and its bytes must not be used after this
//
// One sync.Pool for buffers of all sizes ends with every buffer as large as the
// largest use. Here memory comes in classes, about four for each doubling of the
// size, and goes back to the class that it belongs to, also when a buffer has
// grown: a buffer that grew returns its memory to the larger class, and small
// requests never hold large buffers.
//
// # Which call
//
//   - The size is known, and the bytes are written in place: Pool.Get, then Bytes or
//     Fill; or a Sized if the size is always the same.
//   - The content is appended: Pool.Append, then Write and its kin. A Write that
//     follows Get(n) panics: it would come after n bytes of another owner.
//   - A read from a socket, at most so long: Sized.Get and Buffer.Fill.
//   - The content is to be read: a bytes.Reader of Buffer.Bytes, while the buffer
//     is owned. A Buffer itself has no read position.
//   - The content is the body of an HTTP request: Buffer.Share and adapt.Body,
//     since a transport may read a body after Client.Do has returned.
//   - The interface wants a []byte or a *[]byte: Bytes and Free, or GetPtr and
//     PutPtr, of a Pool or a Sized. They cannot tell whether a slice is given back
//     twice; prefer a Buffer where you can.
//   - Others bring the interface: package buffer/adapt has those of
//     httputil.ReverseProxy, grpc, Arrow and http.Request.Body.
//   - io.Copy, with pooled memory: Pool.Copy.
//
// # Ownership
//
// The caller of Get owns the Buffer alone until giving it up, in one of four ways:
//
//   - Release gives the memory back.
//   - CopyAndRelease returns a copy of exactly the length and releases the buffer.
//   - Take returns the bytes without a copy; the pool loses the memory.
//   - Share makes the bytes read-only for any number of readers; the last one
//     gives the memory back.
//
// After that the memory belongs to the pool or to its next owner, and so does every
// slice of it. The usual mistake is to return such a slice:
//
//	func header(r io.Reader) ([]byte, error) {
//		b := buffers.Get(64)
//		defer b.Release()
//		_, err := b.Fill(r.Read)
//		return b.Bytes(), err // wrong: the caller gets memory that has been released
//	}
//
// The deferred Release runs before the caller sees the slice. What leaves the
// function that releases must be a copy: return bytes.Clone(b.Bytes()), or leave
// the defer out and end with b.CopyAndRelease(). A buffer that is never
// released is simply garbage collected; only the saving is lost.
//
// Growing moves a buffer to other memory and gives the former memory back at
// once. So the slices of Bytes and AvailableBuffer are valid until the next call
// that may grow the buffer. Those of a bytes.Buffer stay readable; these do not.
//
// # Memory model
//
// In the terms of the Go memory model, the call that gives a buffer up synchronizes
// before the call that hands its memory out again: the next owner's accesses come
// after all of the last owner's. Of a [Shared], every Release synchronizes before
// that call, so the next owner's writes come after all reads; and [Buffer.Share]
// synchronizes before nothing by itself: the program hands each Shared to its
// goroutine by a channel or a go statement.
//
// # Clearing
//
// A pool hands memory from one request to the next. Options.Zero says when it is
// cleared. Sized clears what was written (ZeroUsed), when it comes back, so that
// no secret waits in the pool; all else is not cleared unless asked, because
// most users write before they read. "What was written" is what the buffer can
// know: Write and Fill say it exactly; Bytes, AvailableBuffer and ReadFrom hand
// memory out for writing, and all of that counts. A packet of 300 bytes read by
// Fill into a buffer of 9000 costs clearing 300. Clearing is not free: memory of
// 64 KiB takes many times as long to clear as to get and release.
//
// # What a pool keeps
//
// Each class keeps what sync.Pool keeps: memory that no Get took during two garbage
// collections is dropped, and the number of buffers is bounded only by the number
// that were in use at once. Options.Max bounds the size
// of one: larger buffers are made, used and dropped. Set it above the real sizes:
// a pool that drops what the program needs saves nothing and costs its calls.
// Options.Reserve keeps a number of bytes across collections, for uses rarer than
// those: a Get that finds nothing licenses one Release to leave its memory there,
// and memory that no Get takes during 8 collections is dropped.
// Trim empties a pool, down to a number of bytes.
//
// There is no call that fills a pool in advance. With n buffers in use at once the
// first n Gets of a class miss, each making one buffer, and from then on none
// does. Filling would make the same n buffers, only earlier, at the same cost; it
// has to know n; and what is not asked for is gone after two collections, as if it
// had never been made. A program that must not allocate later can do the same by
// getting n buffers and releasing them; and with Options.Reserve those, being
// missed, are kept for 8 collections.
//
// # Classes
//
// The default classes are 36 sizes from 64 bytes to 32 KiB, and four for each
// doubling above that. From 257 bytes to Max a request gets less than 1.25 times
// what it asked for. Each class is a size that Go's allocator has itself, so
// nothing is rounded up twice, and a multiple of 64, so memory begins at a multiple
// of 64 bytes. Stats.Class lists the classes that were used. A class costs nothing
// until then.
//
// # From sync.Pool, and to sync/v2
//
// What stands on the left becomes what stands on the right. The last two are the
// typed pool that is proposed for the standard library (golang/go#71076: a
// type Pool[T any] struct { New func() T } with Get and Put), and back.
//
//	sync.Pool{New: func() any { b := make([]byte, 9000); return &b }}
//	                                    p := buffers.Sized(9000)
//	p.Get().(*[]byte), p.Put(x)         p.GetPtr(), p.PutPtr(x)
//
//	sync.Pool of *bytes.Buffer
//	p.Get().(*bytes.Buffer), b.Reset()  buffers.Append()
//	p.Put(b)                            b.Release()
//
//	sync.Pool[*[]byte]                  buffers.Sized(n), GetPtr and PutPtr
//	sync.Pool[[]byte], where Put of a   buffers.Bytes(n) and Free, of any size n
//	slice need not allocate
//
// The zero Pool cannot be used: it would have to find its classes at each Get.
//
// # When not to use it
//
// A goroutine that uses one buffer after the other needs no pool: a variable of
// its own costs less, and so does an array on the stack that does not escape. One
// buffer in flight at a time is served best by a single sync.Pool of *[]byte, as
// it then holds one buffer of the largest size. Buffers whose sizes are all the
// same and that are not cleared gain nothing over sync.Pool but the checks. Content
// that lives long should be of its exact size, not in pooled memory: CopyAndRelease, or a
// plain make. Measure first.
//
// # Statistics
//
// Pool.Stats tells how often memory had to be made, what was too large, refused
// or dropped, and what the reserve holds; that costs nothing while the pool has
// what is asked for. Options.Stats asks for more: pool.Uses for the number of
// Gets and the bytes asked and handed out, pool.Leaks for what is in use, and for
// the buffers that the garbage collector took from an owner who forgot to release
// them. Package poolvar shows them in expvar.
//
// # Misuse
//
// In every build:
//
//   - Every method of a Buffer panics once it was given up, until the pool hands the
//     same header out again; from then on a late Release releases the buffer of the
//     next owner, and neither owner can know.
//   - Get(n) followed by Write panics, and so does every other call that would put
//     something after bytes that are not the owner's, or send them; see [Buffer].
//   - Every method of a copied Shared panics.
//
// A late read or write through a slice is not seen by the package. The race
// detector reports it, and a late Release, if the two owners are not ordered;
// `poolproof test` reports it in any case, with three stacks, in this build.
//
// With -tags poolproofdebug the package checks its callers, at a cost:
//
//   - A header is never used again, so that a second Release always panics, with the
//     stacks of the Get and of both Releases. A copied Buffer panics too.
//   - Memory is filled with 0xDB when it is released, and handed out again only when
//     8 others of its class have followed. If the fill is not whole then, the Get
//     panics with the stacks of the Get and Release before.
//   - Free and PutPtr look up what they are given, and panic if it was not handed
//     out.
//   - A function given to Fill that wrote more or less than it said panics.
//   - Pool.Leaks lists what is out, with the stack of each Get.
//
// The environment variable POOLPROOFDEBUG, in that build, can have two words more,
// separated by a comma: guard makes released memory inaccessible, so that a late
// read or write faults where it happens (Linux and macOS); foreign panics where a
// slice is refused.
package buffer
