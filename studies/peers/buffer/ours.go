package bufferpeers

import (
	"fmt"
	"sync"

	"github.com/poolproof/poolproof/buffer"
	"github.com/poolproof/poolproof/buffer/adapt"
)

const module = "github.com/poolproof/poolproof/buffer"

var powers = func() (classes []int) {
	for size := smallest; size <= largest; size *= 2 {
		classes = append(classes, size)
	}
	return classes
}()

// ours are the calls of package buffer. Sized clears what was written unless it
// is told not to; the other calls do not.
var ours = []Peer{
	{Name: "ours,get", Module: module, New: newOurs(buffer.Options{})},
	{Name: "ours,get,powers", Module: module, New: newOurs(buffer.Options{Classes: powers})},
	{Name: "ours,get,reserve", Module: module, New: newOurs(buffer.Options{Reserve: 8 << 20})},
	{Name: "ours,get,zero-get", Like: "ours,get", Module: module, Clears: true, New: newOurs(buffer.Options{Zero: buffer.ZeroGet})},
	{Name: "ours,get,zero-used", Like: "ours,get", Module: module, Clears: true, New: newOurs(buffer.Options{Zero: buffer.ZeroUsed})},
	{Name: "ours,get,zero-full", Like: "ours,get", Module: module, Clears: true, New: newOurs(buffer.Options{Zero: buffer.ZeroFull})},
	{Name: "ours,sized", Like: "ours,get", Module: module, Clears: true, New: func() Pool { return newOursSized(buffer.ZeroUsed) }},
	{Name: "ours,sized,zero-none", Like: "ours,get", Module: module, New: func() Pool { return newOursSized(buffer.ZeroNone) }},
	{Name: "ours,sized,fill300", Like: "ours,get", Module: module, Clears: true, New: func() Pool { return newOursFill() }},
	{Name: "ours,getptr", Module: module, Clears: true, New: func() Pool { return newOursPtr(buffer.ZeroUsed) }},
	{Name: "ours,getptr,zero-none", Like: "ours,getptr", Module: module, New: func() Pool { return newOursPtr(buffer.ZeroNone) }},
	{Name: "ours,bytes", Module: module, New: func() Pool { return newOursBytes() }},
	{Name: "ours,grpc", Module: module, Clears: true, New: func() Pool { return newOursGRPC() }},
}

// oursPool is Pool.Get, Pool.Append and Buffer.Release.
type oursPool struct {
	native[*buffer.Buffer]
	pool *buffer.Pool
}

func newOurs(o buffer.Options) func() Pool {
	return func() Pool {
		p := buffer.New(o)
		return oursPool{ourBuffers(p.Get, p.Append), p}
	}
}

func ourBuffers(get func(int) *buffer.Buffer, empty func() *buffer.Buffer) native[*buffer.Buffer] {
	return native[*buffer.Buffer]{
		get:   get,
		empty: empty,
		write: func(b *buffer.Buffer, chunk []byte) *buffer.Buffer {
			b.Write(chunk)
			return b
		},
		bytes: (*buffer.Buffer).Bytes,
		holds: (*buffer.Buffer).Cap,
		put:   (*buffer.Buffer).Release,
	}
}

func (p oursPool) Pairs(size, n int) {
	for range n {
		b := p.pool.Get(size)
		touch(b.Bytes())
		b.Release()
	}
}

// handles keeps a handle for each size that was asked: a program has one
// for each of its few sizes, in a variable.
type handles struct {
	pool *buffer.Pool
	mu   sync.Mutex
	of   map[int]*buffer.Sized
}

func newHandles(zero buffer.Zero) *handles {
	return &handles{pool: buffer.New(buffer.Options{Zero: zero}), of: map[int]*buffer.Sized{}}
}

// sized returns the handle for size, and nil above the largest class, which a
// Sized refuses.
func (h *handles) sized(size int) *buffer.Sized {
	if size > largest {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.of[size]
	if s == nil {
		s = h.pool.Sized(size)
		h.of[size] = s
	}
	return s
}

type oursSized struct {
	native[*buffer.Buffer]
	*handles
}

func newOursSized(zero buffer.Zero) oursSized {
	h := newHandles(zero)
	return oursSized{ourBuffers(func(size int) *buffer.Buffer {
		if s := h.sized(size); s != nil {
			return s.Get()
		}
		return h.pool.Get(size)
	}, h.pool.Append), h}
}

func (p oursSized) Pairs(size, n int) {
	s := p.sized(size)
	for range n {
		b := s.Get()
		touch(b.Bytes())
		b.Release()
	}
}

// oursFill is oursSized, used as a socket's reader does: of each buffer no more
// than 300 bytes are written.
type oursFill struct{ oursSized }

func newOursFill() oursFill { return oursFill{newOursSized(buffer.ZeroUsed)} }

func (p oursFill) Pairs(size, n int) {
	s := p.sized(size)
	for range n {
		b := s.Get()
		if _, err := b.Fill(readPacket); err != nil {
			panic(err) // readPacket has none
		}
		b.Release()
	}
}

func readPacket(p []byte) (int, error) {
	p = p[:min(300, len(p))]
	touch(p)
	return len(p), nil
}

type oursPtr struct {
	native[*[]byte]
	*handles
}

func newOursPtr(zero buffer.Zero) oursPtr {
	h := newHandles(zero)
	return oursPtr{pointers(
		func(size int) *[]byte {
			if s := h.sized(size); s != nil {
				return s.GetPtr()
			}
			b := make([]byte, size)
			return &b
		},
		func(b *[]byte) {
			if s := h.sized(cap(*b)); s != nil {
				s.PutPtr(b)
			}
		},
	), h}
}

func (p oursPtr) Pairs(size, n int) {
	s := p.sized(size)
	for range n {
		b := s.GetPtr()
		touch(*b)
		s.PutPtr(b)
	}
}

type oursBytes struct {
	native[[]byte]
	pool *buffer.Pool
}

func newOursBytes() oursBytes {
	p := buffer.New(buffer.Options{})
	return oursBytes{slices(p.Bytes, func(b []byte) { mustFree(p, b) }), p}
}

func (p oursBytes) Pairs(size, n int) {
	for range n {
		b := p.pool.Bytes(size)
		touch(b)
		mustFree(p.pool, b)
	}
}

// mustFree says so where a peer's adapter gives back what it did not get.
func mustFree(p *buffer.Pool, b []byte) {
	if !p.Free(b) && cap(b) <= largest {
		panic(fmt.Sprintf("a slice of capacity %d was refused", cap(b)))
	}
}

type oursGRPC struct {
	native[*[]byte]
	pool adapt.GRPCPool
}

func newOursGRPC() oursGRPC {
	p := adapt.GRPC(buffer.New(buffer.Options{}))
	return oursGRPC{pointers(p.Get, p.Put), p}
}

func (p oursGRPC) Pairs(size, n int) {
	for range n {
		b := p.pool.Get(size)
		touch(*b)
		p.pool.Put(b)
	}
}
