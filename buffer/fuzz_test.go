package buffer

import (
	"encoding/binary"
	"testing"
	"unsafe"

	"github.com/poolproof/poolproof/internal/expect"
	"github.com/poolproof/poolproof/pool"
)

// FuzzPools interprets its input as operations on two pools that get each
// other's memory and slices that were cut or have drifted. Whatever comes, all
// memory has one owner, keeps its content, and has the length that was asked.
// The checked build panics at some of it, as it should, so it is left out.
func FuzzPools(f *testing.F) {
	f.Add([]byte{0, 10, 1, 20, 2, 30, 3, 40, 4, 50, 5, 60, 6, 70, 7, 80, 8, 90, 9, 99})
	f.Add([]byte{1, 200, 9, 0, 1, 200, 5, 3, 2, 100, 6, 0, 7, 0, 2, 100})
	f.Add([]byte{2, 255, 8, 0, 2, 255, 8, 1, 2, 255, 4, 0, 3, 9})
	f.Fuzz(func(t *testing.T, script []byte) {
		normalBuild(t, "panics")
		pools := [2]*Pool{New(Options{Max: 8192}), New(Options{Zero: ZeroUsed, Max: 4096, Classes: []int{64, 128, 1024, 4096}})}
		type holding struct {
			stamp byte
			bytes []byte
			b     *Buffer
			x     *[]byte
		}
		var held []holding
		owner := map[*byte]bool{} // of whole memories only
		stamp := byte(1)
		hold := func(h holding) {
			if n := len(h.bytes); n > 0 {
				at := unsafe.SliceData(h.bytes)
				if owner[at] {
					t.Fatalf("memory has two owners")
				}
				owner[at] = true
			}
			stamp = max(stamp+1, 1)
			h.stamp = stamp
			for i := range h.bytes {
				h.bytes[i] = stamp
			}
			held = append(held, h)
		}
		for ; len(script) >= 2; script = script[2:] {
			op, arg := script[0], int(script[1])
			p := pools[op>>4&1]
			n := arg * arg / 6
			switch op & 15 {
			case 0, 1:
				b := p.Get(n)
				if b.Len() != n {
					t.Fatalf("Get(%d) has length %d", n, b.Len())
				}
				hold(holding{b: b, bytes: b.Bytes()})
			case 2:
				b := p.Bytes(n)
				if len(b) != n || !isZero(b) && p == pools[1] {
					t.Fatalf("Bytes(%d) has length %d, zero %t", n, len(b), isZero(b))
				}
				hold(holding{bytes: b})
			case 3:
				n = min(n, p.plain.max)
				x := p.Sized(n).GetPtr()
				if len(*x) != n {
					t.Fatalf("GetPtr of Sized(%d) has length %d", n, len(*x))
				}
				hold(holding{bytes: *x, x: x})
			case 4: // a foreign slice of any capacity
				p.Free(make([]byte, n/2, n))
			case 5: // a foreign slice behind a pointer
				x := make([]byte, n)
				p.Sized(min(n, 4096)).PutPtr(&x)
			default:
				if len(held) == 0 {
					continue
				}
				i := arg % len(held)
				h := held[i]
				held[i] = held[len(held)-1]
				held = held[:len(held)-1]
				for _, x := range h.bytes {
					if x != h.stamp {
						t.Fatalf("a byte that was %d is %d", h.stamp, x)
					}
				}
				if len(h.bytes) > 0 {
					delete(owner, unsafe.SliceData(h.bytes))
				}
				switch {
				case h.b != nil && op&15 == 6:
					h.b.Grow(n)
					h.b.Release()
				case h.b != nil && op&15 == 7:
					h.b.Share().Own().Release()
				case h.b != nil:
					h.b.Release()
				case h.x != nil && op&15 == 8: // drifted
					*h.x = (*h.x)[len(*h.x)/2:]
					if cap(*h.x) > 0 && address(*h.x)%64 == 0 && fitsSomewhere(p, *h.x) {
						continue // a part with the capacity of a class: nothing can tell
					}
					p.Sized(min(len(h.bytes), 4096)).PutPtr(h.x)
				case h.x != nil: // to whichever pool: the other must refuse it or take it whole
					p.Sized(min(len(h.bytes), p.plain.max)).PutPtr(h.x)
				case op&15 == 9: // cut
					part := h.bytes[len(h.bytes)/2:]
					if fitsSomewhere(p, part) {
						continue
					}
					if p.Free(part) {
						t.Fatalf("Free took a part of capacity %d", cap(part))
					}
				default:
					p.Free(h.bytes)
				}
			}
		}
	})
}

// fitsSomewhere reports whether p has a class that b could be the memory of.
func fitsSomewhere(p *Pool, b []byte) bool {
	return cap(b) <= p.plain.max && p.plain.class(p.plain.of(cap(b))).fits(b)
}

// FuzzClasses takes any list of classes and any Max: New refuses it with a text
// of its own, or the pool hands out what is asked.
func FuzzClasses(f *testing.F) {
	list := func(sizes ...uint16) (b []byte) {
		for _, s := range sizes {
			b = binary.LittleEndian.AppendUint16(b, s)
		}
		return b
	}
	f.Add(list(1, 2, 3), 0, 100)
	f.Add(list(1, 1), 0, 100)
	f.Add(list(2, 1), 128, 0)
	f.Add(list(1, 600, 700, 1000), 40_000, 39_000)
	f.Add(list(), -1, -1)
	f.Fuzz(func(t *testing.T, grains []byte, limit, n int) {
		var classes []int
		for ; len(grains) >= 2; grains = grains[2:] {
			classes = append(classes, int(binary.LittleEndian.Uint16(grains))*32) // half of them no multiple of 64
		}
		var p *Pool
		text := expect.Panic(func() { p = New(Options{Classes: classes, Max: limit}) })
		if p == nil {
			if len(text) < 16 || text[:16] != "buffer: Options." {
				t.Fatalf("New(%v, %d) panicked with %q", classes, limit, text)
			}
			return
		}
		n = min(max(n, 0), 4<<20)
		b := p.Get(n)
		if b.Len() != n || address(b.b)%64 != 0 {
			t.Fatalf("Get(%d) has length %d at %#x", n, b.Len(), address(b.b))
		}
		if n <= p.plain.max {
			i := p.plain.of(n)
			if b.Cap() != p.options.Classes[i] || i > 0 && p.options.Classes[i-1] >= n {
				t.Fatalf("Get(%d) has capacity %d of classes %v", n, b.Cap(), classes)
			}
		}
		b.Grow(100)
		b.Release()
		x := p.Bytes(n)
		if got, want := p.Free(x), n <= p.plain.max; got != want {
			t.Fatalf("Free of Bytes(%d): %t, want %t", n, got, want)
		}
	})
}

// FuzzBuffer runs a script on a Buffer and on a bytes.Buffer.
func FuzzBuffer(f *testing.F) {
	f.Add([]byte{0, 100, 4, 50, 1, 200, 3, 128, 6, 77, 7, 30, 10, 0, 9, 0, 8, 9, 5, 250}, uint8(0))
	f.Add([]byte{0, 255, 0, 255, 0, 255, 10, 0, 0, 255}, uint8(3))
	f.Fuzz(func(t *testing.T, script []byte, zero uint8) {
		if len(script) > 200 {
			script = script[:200]
		}
		runScript(t, New(Options{Zero: Zero(zero) % (ZeroFull + 1), Max: 64 << 10, Start: 64, Stats: pool.StatsLevel(zero) % (pool.Leaks + 1)}), script)
	})
}
