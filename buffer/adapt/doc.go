// Package adapt gives package buffer the interfaces that other packages ask for:
// the buffer pools of net/http/httputil and of google.golang.org/grpc/mem, the
// allocator of Arrow, and the body of an HTTP request.
//
//	proxy.BufferPool = adapt.HTTP(buffers.Sized(32 << 10))
//
// It imports none of these packages: its types have their methods. All of them
// are safe for concurrent use, work with the memory of the pool that they are
// made from, and count in its statistics.
//
// An interface of plain slices cannot tell whether a slice is given back twice or
// is used after that. Only the checked build and `poolproof test` find it; see
// package buffer.
package adapt
