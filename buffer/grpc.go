package buffer

// GRPC returns p as the interface BufferPool of google.golang.org/grpc/mem. A
// slice that it hands out reads as zero over the length that was asked, and over
// no more: a pool that clears its whole tier for each Get spends most of its time
// there.
func (p *Pool) GRPC() GRPCPool { return GRPCPool{p} }

// GRPCPool is a mem.BufferPool. It is made by [Pool.GRPC]; the methods of the zero
// value panic and say so.
type GRPCPool struct{ pool *Pool }

// set returns the set that g hands out from.
func (g GRPCPool) set() *set {
	if g.pool == nil {
		panic("buffer: use of a GRPCPool that was not made by Pool.GRPC")
	}
	return &g.pool.plain
}

// Get returns a slice of length n, zero throughout, that the caller owns until
// Put. Its capacity is the size of its class.
func (g GRPCPool) Get(n int) *[]byte {
	s := g.set()
	if uint(n) >= s.bound {
		b := s.bytesAbove("Get", n)
		return &b
	}
	c := s.class(s.of(n))
	x := c.takeSlice()
	if x == nil || c.carefulGet {
		x = c.getSlice(x, n)
	}
	*x = (*x)[:n]
	if c.zero == ZeroNone {
		clear(*x)
	}
	return x
}

// Put gives up x, whatever its length is now. It refuses what Free refuses.
//
//poolproof:owns x
func (g GRPCPool) Put(x *[]byte) {
	s := g.set()
	switch {
	case x == nil:
		s.pool.refuse("Put", nil)
	case cap(*x) > s.max:
		s.above().tally.dropped.Add(1)
	default:
		s.class(s.of(cap(*x))).putSlice("Put", x)
	}
}
