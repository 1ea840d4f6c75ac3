package buffer

import (
	"fmt"
	"sync/atomic"
)

// Shared is one reference to the bytes of a buffer that several readers use at
// the same time. Each Shared has one owner, who gives it up by Release or Own;
// Retain and Slice make another for another owner. Different Shared of one
// buffer may be used by different goroutines at once, one Shared may not.
//
// The bytes are read-only for as long as they are shared: in the checked build the
// next call of a Shared that finds them written panics. The last Release gives the
// memory back to the pool.
type Shared struct {
	checks checks // of the checked build
	noCopy noCopy

	self   *Shared // this one while it has an owner: a copy has the address of another
	buffer *Buffer // nil after Release and Own
	part   []byte  // of buffer's bytes
}

// noCopy has the methods by which go vet knows what must not be copied.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// references counts the Shared of a buffer. Every operation is one atomic
// operation, so an execution is some order of these. With N for the number of
// Shared that have not been given up:
//
//   - n = N at all times. Share sets both to 1 while it alone owns the buffer.
//     retain is called by the owner of a Shared before the new one exists, drop
//     by the owner of one that is then given up, each once.
//   - A caller of retain owns a Shared, so N >= 1 before and n never rises from
//     0: memory that went back to the pool is not referred to again.
//   - Each drop lowers n by 1 and nothing raises it from 0, so exactly one drop
//     sees 0. It comes last of all operations on this use of the buffer, so its
//     caller is the only one who knows the buffer: it owns it.
//   - If a caller of sole reads 1, then N = 1 and the Shared is its own. Only an
//     owner of a Shared can raise n, so it stays 1 until this caller acts: it
//     owns the buffer.
//
// Reads of the bytes come before the drop of their Shared, and a drop is
// synchronized before every operation that sees its effect: before the last
// drop, and before a sole that reads 1. So what the new owner writes comes after
// every read.
type references struct{ n atomic.Int32 }

// first sets the count to 1.
func (r *references) first() { r.n.Store(1) }

// retain adds a reference.
func (r *references) retain() { r.n.Add(1) }

// drop gives up a reference and reports whether it was the last. It panics if
// there was none: a Shared has then been given up twice, which only a copy that
// was copied back over its original can do.
func (r *references) drop() (last bool) {
	n := r.n.Add(-1)
	if n < 0 {
		panic("buffer: a Shared was released more often than there were references to its buffer: it has been copied")
	}
	return n == 0
}

// sole reports whether the caller's reference is the only one.
func (r *references) sole() bool { return r.n.Load() == 1 }

// Share gives b up and returns the first reference to its bytes. It panics if some
// of them are not the owner's, since they cannot be written after this; see
// [Buffer].
//
//poolproof:owns b
func (b *Buffer) Share() *Shared {
	b.mustSend("Share")
	if b.state&learning != 0 {
		b.home.set.pool.learn(b)
	}
	b.checkShare()
	b.state = shared
	b.put = b.home.door // of an owner to come
	b.mark = max(b.mark, len(b.b))
	b.refs.first()
	return newShared(b, b.b)
}

// newShared returns a reference to part of b's bytes, which has been counted.
func newShared(b *Buffer, part []byte) *Shared {
	s := takeShared()
	s.self, s.buffer, s.part = s, b, part[:len(part):len(part)]
	s.checkGet()
	return s
}

// must panics unless s has an owner and is no copy. op is the method that was
// called.
func (s *Shared) must(op string) {
	if s.self != s {
		s.misuse(op)
	}
}

//go:noinline
func (s *Shared) misuse(op string) {
	if s.self != nil {
		panic(fmt.Sprintf("buffer: %s of a copied Shared; use the pointer that Share, Retain or Slice returned", op))
	}
	panic(fmt.Sprintf("buffer: %s of a Shared that was given up by Release or Own, or that no Buffer has handed out%s", op, s.checks.history()))
}

// end gives s up, and returns the buffer that it referred to.
func (s *Shared) end() *Buffer {
	b := s.buffer
	s.checkPut()
	s.self, s.buffer, s.part = nil, nil, nil
	keepShared(s)
	return b
}

// Bytes returns the bytes that s refers to, to be read until s is given up.
//
//poolproof:readonly
func (s *Shared) Bytes() []byte {
	s.must("Bytes")
	s.checkRead("Bytes")
	return s.part
}

// Retain returns another reference to the same bytes.
//
//poolproof:borrows s
func (s *Shared) Retain() *Shared {
	s.must("Retain")
	s.checkRead("Retain")
	s.buffer.refs.retain()
	return newShared(s.buffer, s.part)
}

// Slice returns another reference, to the bytes from position i to position j.
// It keeps the whole buffer from the pool. It panics if i and j are not in order
// or not within s.
//
//poolproof:borrows s
func (s *Shared) Slice(i, j int) *Shared {
	s.must("Slice")
	s.checkRead("Slice")
	if i < 0 || j < i || j > len(s.part) {
		panic(fmt.Sprintf("buffer: Slice(%d, %d) of a Shared of %d bytes", i, j, len(s.part)))
	}
	s.buffer.refs.retain()
	return newShared(s.buffer, s.part[i:j])
}

// Release gives s up. The last reference to a buffer gives its memory back to
// the pool. Release panics if s was given up before, unless it has been handed
// out again.
func (s *Shared) Release() {
	s.must("Release")
	s.checkRead("Release")
	if b := s.end(); b.refs.drop() {
		b.giveBack()
	}
}

// Own gives s up and returns its bytes in a buffer that the caller owns and may
// write. It is the shared buffer itself if s is the only reference to it, its
// bytes moved to the front if s is a Slice; otherwise it is a copy.
func (s *Shared) Own() *Buffer {
	s.must("Own")
	s.checkRead("Own")
	part := s.part
	if !s.buffer.refs.sole() {
		own := s.buffer.home.set.clone(part)
		s.Release()
		return own
	}
	b := s.end()
	b.b = b.b[:copy(b.b, part)]
	return b.reissue()
}
