package adapt

import "github.com/poolproof/poolproof/buffer"

// GRPCPool is the BufferPool of google.golang.org/grpc/mem. It is made by [GRPC];
// the methods of the zero value panic and say so.
type GRPCPool struct {
	pool  *buffer.Pool
	dirty int // memory up to this capacity may hold what another owner left
}

// GRPC returns p as a GRPCPool. A slice that it hands out reads as zero over the
// length that was asked, and over no more: a pool that clears its whole tier for
// each Get spends most of its time there.
//
// grpc's mem.NewBuffer gives nothing back that is smaller than 1 KiB: it takes
// such a slice for cheaper to make than to pool. A codec that gets its memory here
// for messages of that size, and hands it to mem.NewBuffer, loses each of them;
// mem.SliceBuffer of a plain make is right there.
func GRPC(p *buffer.Pool) GRPCPool { return GRPCPool{p, dirtyTo(p)} }

// dirtyTo returns the capacity to which memory of p may hold what another owner
// left. Above Options.Max it is new, and a pool that clears what is given back has
// none.
func dirtyTo(p *buffer.Pool) int {
	o := p.Options()
	if o.Zero == buffer.ZeroUsed || o.Zero == buffer.ZeroFull {
		return 0
	}
	return o.Max
}

// must panics if g is zero.
func (g GRPCPool) must() *buffer.Pool {
	if g.pool == nil {
		panic("adapt: use of a GRPCPool that was not made by GRPC")
	}
	return g.pool
}

// Get returns a slice of length n, zero throughout, that the caller owns until
// Put. Its capacity is the size of its class. Get panics if n is negative.
func (g GRPCPool) Get(n int) *[]byte {
	x := g.must().GetPtr(n)
	if cap(*x) <= g.dirty {
		clear(*x)
	}
	return x
}

// Put gives up x, whatever its length is now. It refuses what [buffer.Pool.PutPtr]
// refuses.
//
//poolproof:owns x
func (g GRPCPool) Put(x *[]byte) { g.must().PutPtr(x) }
