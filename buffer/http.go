package buffer

// HTTP returns s as the interface that net/http/httputil.ReverseProxy asks for
// in its field BufferPool. Get returns a slice of the length of s with the
// capacity of its class; Put takes it back as Pool.Free does.
func (s *Sized) HTTP() HTTPPool { return HTTPPool{s} }

// HTTPPool is an httputil.BufferPool. It is made by [Sized.HTTP]; the methods of
// the zero value panic and say so.
type HTTPPool struct{ sized *Sized }

// class returns the class that h hands out from.
func (h HTTPPool) class() *class {
	switch {
	case h.sized == nil:
		panic("buffer: use of an HTTPPool that was not made by Sized.HTTP")
	case h.sized.class == nil:
		panic(notSized)
	}
	return h.sized.class
}

// Get returns a slice that the caller owns until Put.
func (h HTTPPool) Get() []byte { return h.class().bytes(h.sized.n) }

// Put gives b up.
//
//poolproof:owns b
func (h HTTPPool) Put(b []byte) {
	c := h.class()
	if !c.fits(b) {
		c.set.pool.refuse("Put", b)
		return
	}
	c.freeBare("Put", b)
}
