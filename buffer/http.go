package buffer

// HTTP returns s as the interface that net/http/httputil.ReverseProxy asks for
// in its field BufferPool. Get returns a slice of the length of s with the
// capacity of its class; Put takes it back as Pool.Free does.
func (s *Sized) HTTP() HTTPPool { return HTTPPool{s} }

// HTTPPool is an httputil.BufferPool.
type HTTPPool struct{ sized *Sized }

// Get returns a slice that the caller owns until Put.
func (h HTTPPool) Get() []byte {
	c := h.sized.class
	if c == nil {
		panic(notSized)
	}
	return c.bytes(h.sized.n)
}

// Put gives b up.
//
//poolproof:owns b
func (h HTTPPool) Put(b []byte) {
	c := h.sized.class
	if !c.fits(b) {
		c.set.pool.refuse("Put", b)
		return
	}
	c.freeBare("Put", b)
}
