package adapt

import "github.com/poolproof/poolproof/buffer"

// HTTPPool is the BufferPool of net/http/httputil, for the field of that name of a
// ReverseProxy. It is made by [HTTP]; the methods of the zero value panic and say
// so.
type HTTPPool struct{ sized *buffer.Sized }

// HTTP returns s as an HTTPPool. Get returns a slice of the length of s with the
// capacity of its class; Put takes it back as [buffer.Sized.Free] does.
func HTTP(s *buffer.Sized) HTTPPool { return HTTPPool{s} }

// must panics if h is zero.
func (h HTTPPool) must() *buffer.Sized {
	if h.sized == nil {
		panic("adapt: use of an HTTPPool that was not made by HTTP")
	}
	return h.sized
}

// Get returns a slice that the caller owns until Put.
func (h HTTPPool) Get() []byte { return h.must().Bytes() }

// Put gives b up.
//
//poolproof:owns b
func (h HTTPPool) Put(b []byte) { h.must().Free(b) }
