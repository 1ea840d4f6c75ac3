package buffer

import (
	"math/rand/v2"
	"testing"

	"github.com/poolproof/poolproof/internal/expect"
)

// canary is a byte that nobody but the test writes.
const canary = 0xC5

// spills write canaries in the ways that a caller has, some of them to memory
// that does not count as used in the end.
var spills = []struct {
	name string
	do   func(b *Buffer, n int)
}{
	{"Write", func(b *Buffer, n int) { own(b); b.Write(canaries(n)) }},
	{"WriteString", func(b *Buffer, n int) { own(b); b.WriteString(string(canaries(n))) }},
	{"WriteByte", func(b *Buffer, n int) { own(b); b.WriteByte(canary) }},
	{"Write and Truncate", func(b *Buffer, n int) { own(b); b.Write(canaries(n)); b.Truncate(b.Len() / 2) }},
	{"Write and Reset", func(b *Buffer, n int) { own(b); b.Write(canaries(n)); b.Reset() }},
	{"Resize, and nothing written", func(b *Buffer, n int) { b.Resize(n) }},
	{"Bytes after Resize", func(b *Buffer, n int) { b.Resize(n); copy(b.Bytes(), canaries(n)) }},
	{"Bytes, then a smaller Resize", func(b *Buffer, n int) { b.Resize(n); copy(b.Bytes(), canaries(n)); b.Resize(n / 3) }},
	{"AvailableBuffer that is not written", func(b *Buffer, n int) {
		own(b)
		room := b.AvailableBuffer()
		copy(room[:cap(room)], canaries(cap(room)))
	}},
	{"a reader that uses its slice as scratch memory", func(b *Buffer, n int) {
		own(b)
		first := true
		b.ReadFrom(readerFunc(func(p []byte) (int, error) {
			copy(p, canaries(len(p)))
			if first {
				first = false
				return 3, nil
			}
			return 0, errTest
		}))
	}},
	{"Fill", func(b *Buffer, n int) {
		b.Resize(n)
		b.Fill(func(p []byte) (int, error) { return copy(p, canaries(n/2)), nil })
	}},
	{"Fill that panics", func(b *Buffer, n int) {
		b.Resize(n)
		expect.Panic(func() {
			b.Fill(func(p []byte) (int, error) { copy(p, canaries(len(p))); panic("fill") })
		})
	}},
	{"growth of full memory", func(b *Buffer, n int) {
		b.Resize(b.Cap())
		copy(b.Bytes(), canaries(b.Len()))
		b.Reset()
		b.Grow(b.Cap() + 1)
	}},
}

// own cuts off what is not the owner's, so that something may be appended.
func own(b *Buffer) { b.Truncate(min(b.Len(), b.mark)) }

func canaries(n int) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = canary
	}
	return p
}

// TestNoByteOfAnOwnerIsLeftInPooledMemory looks at all memory that buffers had,
// after they were released. In the checked build the memory is filled by then,
// and it is the pool that looks, and panics.
func TestNoByteOfAnOwnerIsLeftInPooledMemory(t *testing.T) {
	for _, zero := range []Zero{ZeroUsed, ZeroFull} {
		p := New(Options{Zero: zero})
		sized := New(Options{}).Sized(700) // clears by default
		rng := rand.New(rand.NewPCG(3, 4))
		for round := range 3000 {
			var b *Buffer
			switch round % 3 {
			case 0:
				b = p.Get(rng.IntN(3000))
			case 1:
				b = p.Append()
			case 2:
				b = sized.Get()
			}
			had := map[*byte][]byte{start(b): memory(b)}
			done := ""
			for range 1 + rng.IntN(4) {
				s := spills[rng.IntN(len(spills))]
				s.do(b, 1+rng.IntN(5000))
				had[start(b)] = memory(b)
				done += s.name + "; "
			}
			if round%7 == 0 {
				c := b.Clone()
				had[start(c)] = memory(c)
				c.Release()
			}
			if round%5 == 0 {
				s := b.Share()
				if !checked { // which panics
					copy(s.Bytes(), canaries(len(s.Bytes())))
				}
				s.Release()
			} else {
				b.Release()
			}
			if checked {
				continue
			}
			for _, m := range had {
				if !isZero(m) { //poolproof:ignore it looks at memory that waits
					t.Fatalf("Zero %s: pooled memory of %d bytes is not zero after %s", zero, len(m), done)
				}
			}
		}
	}
}

func TestHeaderlessMemoryIsClearedToItsCapacity(t *testing.T) {
	normalBuild(t, "fills memory that waits")
	p := New(Options{Zero: ZeroUsed})
	b := p.Bytes(100)
	copy(b[:cap(b)], canaries(cap(b)))
	p.Free(b[:1])
	if !isZero(b[:cap(b)]) { //poolproof:ignore it looks at memory that waits
		t.Error("Free left bytes of the owner")
	}
	s := New(Options{}).Sized(100)
	x := s.GetPtr()
	m := (*x)[:cap(*x)]
	copy(m, canaries(len(m)))
	s.PutPtr(x)
	if !isZero(m) { //poolproof:ignore it looks at memory that waits
		t.Error("PutPtr left bytes of the owner")
	}
}

// A packet of 300 bytes in a buffer of 9000 costs clearing 300: what lies behind
// is not touched. The test writes behind the pool's back to see it.
//
//poolproof:ignore it looks at memory that waits, and writes to it
func TestOnlyWhatWasWrittenIsCleared(t *testing.T) {
	exactly(t)
	normalBuild(t, "panics because of the canary")
	s := New(Options{Zero: ZeroUsed}).Sized(9000)
	b := s.Get()
	m := memory(b)
	b.Bytes() // the last owner used all of it
	b.Release()
	b = s.Get()
	m[1000] = canary
	b.Fill(func(p []byte) (int, error) { return copy(p, canaries(300)), nil })
	b.Release()
	if !isZero(m[:300]) || m[1000] != canary {
		t.Errorf("cleared: the packet %t, a byte far behind it %t", isZero(m[:300]), m[1000] == 0)
	}
	b = New(Options{Zero: ZeroFull}).Sized(9000).Get()
	m = memory(b)
	m[len(m)-1] = canary
	b.Release()
	if !isZero(m) {
		t.Error("ZeroFull left a byte")
	}
}

// What the pool hands out is zero where a policy says so, whatever waited.
func TestWhatIsHandedOutIsZeroByThePolicy(t *testing.T) {
	for _, zero := range []Zero{ZeroGet, ZeroUsed, ZeroFull} {
		p := New(Options{Zero: zero})
		for range 100 {
			b, plain, ptr := p.Get(1000), p.Bytes(1000), p.Sized(1000).GetPtr()
			for name, got := range map[string][]byte{"Get": b.b, "Bytes": plain, "GetPtr": *ptr} {
				if !isZero(got) {
					t.Fatalf("Zero %s: %s hands out what another owner has written", zero, name)
				}
			}
			copy(b.Bytes(), canaries(1000))
			copy(plain, canaries(1000))
			copy(*ptr, canaries(1000))
			b.Release()
			p.Free(plain)
			p.Sized(1000).PutPtr(ptr)
		}
	}
}

func TestWithoutClearingTheLastOwnersBytesAreSeen(t *testing.T) {
	exactly(t)
	normalBuild(t, "fills memory that waits")
	p := New(Options{})
	b := p.Get(100)
	copy(b.Bytes(), canaries(100))
	b.Release()
	if b := p.Get(100); b.b[50] != canary {
		t.Error("memory was cleared though the pool was not told to")
	}
}

// Under ZeroDefault what Sized hands out is cleared on its way in and all else is
// not: so the two must not share memory.
func TestSizedSharesNoMemoryWithWhatIsNotCleared(t *testing.T) {
	exactly(t)
	p := New(Options{})
	dirty := p.Get(100)
	copy(dirty.Bytes(), canaries(100))
	dirty.Grow(1000) // its memory goes back, too
	dirty.Release()
	for _, n := range []int{100, 1280} {
		if b := p.Sized(n).Get(); !isZero(memory(b)) {
			t.Errorf("Sized(%d) got memory that was not cleared", n)
		}
	}
	// And a buffer of Sized stays among its kind when it grows.
	b := p.Sized(100).Get()
	b.Grow(1000)
	copy(b.Bytes(), canaries(100))
	at := start(b)
	capacity := b.Cap()
	b.Release()
	if c := p.Sized(capacity).Get(); start(c) != at || !isZero(memory(c)) {
		t.Errorf("the memory did not come back to Sized, cleared: %t, %t", start(c) == at, isZero(memory(c)))
	}

	explicit := New(Options{Zero: ZeroUsed})
	b = explicit.Sized(100).Get()
	at = start(b)
	b.Release()
	if c := explicit.Get(100); start(c) != at {
		t.Error("with one policy Sized and Get do not share memory")
	}
}

// Above Options.Max nothing is kept, so nothing is cleared for the next owner; but
// the same owner may shrink a buffer and lengthen it again.
func TestResizeAboveMaxAddsZerosWhereThePoolClears(t *testing.T) {
	for _, zero := range []Zero{ZeroGet, ZeroUsed, ZeroFull} {
		p := New(Options{Max: 4096, Zero: zero})
		b := p.Get(5000)
		copy(b.Bytes(), pattern(5000, 1))
		b.Truncate(0)
		b.Resize(5000)
		if !isZero(b.Bytes()) {
			t.Errorf("%s: Resize added the bytes that were there before", zero)
		}
		b.Write(pattern(9000, 1)) // moves
		b.Truncate(10)
		b.Resize(8000)
		if !isZero(b.Bytes()[10:]) {
			t.Errorf("%s: Resize after growth added the bytes that were there before", zero)
		}
	}
}

// A reader may use its slice as scratch memory and return less. What it leaves near
// what it returns, or at the end, must not wait for the next owner.
//
//poolproof:ignore it looks at memory that waits
func TestWhatFillsFunctionWroteWithoutSayingIsCleared(t *testing.T) {
	exactly(t)
	normalBuild(t, "panics because of it")
	s := New(Options{}).Sized(9000)
	for _, at := range []int{100, 107, 163, 9000 - 64, 8999} {
		b := s.Get()
		m := memory(b)
		b.Fill(func(p []byte) (int, error) { p[at] = canary; return copy(p, canaries(100)), nil })
		b.Release()
		if !isZero(m) {
			t.Errorf("byte %d waits for the next owner", at)
		}
	}
	b := s.Get()
	b.Bytes()[50] = canary
	b.Fill(func(p []byte) (int, error) { return 10, nil }) // byte 50 is the owner's, no scratch memory of a reader
	if m := memory(b); m[50] != canary || b.mark != 9000 {
		t.Errorf("mark %d", b.mark)
	}
}
