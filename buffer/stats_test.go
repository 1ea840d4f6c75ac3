package buffer

import (
	"runtime"
	"testing"
	"time"

	"github.com/poolproof/poolproof/internal/gcepoch"
	"github.com/poolproof/poolproof/internal/ledger"
	"github.com/poolproof/poolproof/pool"
)

func TestMissesAreCountedAlways(t *testing.T) {
	exactly(t)
	p := New(Options{})
	p.Get(100).Release()
	p.Get(100).Release()
	p.Free(p.Bytes(100))
	p.Free(p.Bytes(100))
	s := p.Sized(100)
	s.PutPtr(s.GetPtr())
	s.PutPtr(s.GetPtr())
	st := p.Stats()
	if st.Misses != 3 {
		t.Errorf("%d misses, want 3: each form of memory once", st.Misses)
	}
	if st.Gets != 0 || st.Asked != 0 || st.Handed != 0 || st.InUse != 0 || st.InUseBytes != 0 || st.Lost != 0 {
		t.Errorf("the level Misses knows more than it can: %+v", st)
	}
	if len(st.Class) != 1 || st.Class[0].Size != 128 || st.Class[0].Misses != 3 || st.Class[0].InUse != 0 {
		t.Errorf("classes: %+v", st.Class)
	}
}

func TestTheLevelMissesDoesNotCountTheBytesOfWhatIsTooLarge(t *testing.T) {
	p := New(Options{Max: 4096})
	p.Get(5000).Release()
	if st := p.Stats(); st.Dropped.Oversize != 1 || st.Asked != 0 || st.Handed != 0 {
		t.Errorf("%d buffers dropped, %d bytes asked for and %d handed out; want 1, 0, 0", st.Dropped.Oversize, st.Asked, st.Handed)
	}
}

// With collections stopped nothing is dropped: each Get either made memory or got
// some that was seen before.
func TestGetsAreMissesAndReuses(t *testing.T) {
	exactly(t)
	p := New(Options{Stats: pool.Leaks})
	seen := map[*byte]bool{}
	gets, reuses := uint64(0), uint64(0)
	var out []*Buffer
	for i := range 5000 {
		b := p.Get(1 + i*i%5000)
		gets++
		if seen[start(b)] {
			reuses++
		}
		seen[start(b)] = true
		out = append(out, b)
		if len(out) == 16 {
			out[i%16].Release()
			out[i%16] = out[15]
			out = out[:15]
		}
	}
	st := p.Stats()
	if st.Gets != gets || st.Gets != st.Misses+reuses || st.Hits() != reuses || reuses == 0 {
		t.Errorf("%d Gets (counted %d), %d misses, %d reuses, %d hits", gets, st.Gets, st.Misses, reuses, st.Hits())
	}
	if st.InUse != int64(len(out)) {
		t.Errorf("%d in use, want %d", st.InUse, len(out))
	}
	held := int64(0)
	for _, b := range out {
		held += int64(b.Cap())
	}
	if st.InUseBytes != held {
		t.Errorf("%d bytes in use, want %d", st.InUseBytes, held)
	}
}

func TestNoMemoryHasTwoOwners(t *testing.T) {
	p := New(Options{Max: 4096})
	owner := map[*byte]bool{}
	claim := func(x *byte) {
		if owner[x] {
			t.Fatalf("%p has two owners", x)
		}
		owner[x] = true
	}
	var out []*Buffer
	for i := range 20_000 {
		b := p.Get(1 + i*i%6000)
		claim(start(b))
		if i%3 == 0 {
			delete(owner, start(b))
			b.Grow(b.Cap())
			claim(start(b))
		}
		out = append(out, b)
		if j := i % 20; len(out) > 20 {
			delete(owner, start(out[j]))
			out[j].Release()
			out[j] = out[len(out)-1]
			out = out[:len(out)-1]
		}
	}
}

func TestAtLevelUsesAHeaderHoldsBackFewerThan64Gets(t *testing.T) {
	exactly(t)
	normalBuild(t, "has a new header for each Get")
	p := New(Options{Stats: pool.Uses})
	const uses = 64 + 15*64 + 40 // the last 40 are held back
	for range uses {
		p.Get(100).Release()
	}
	st := p.Stats()
	if st.Gets != uses-40 {
		t.Errorf("%d Gets counted of %d", st.Gets, uses)
	}
	if st.Handed != 128*st.Gets && st.Handed != 128*(st.Gets-1) {
		t.Errorf("%d bytes handed out in %d Gets", st.Handed, st.Gets)
	}
	if st.Asked*128 != st.Handed*100 || st.Waste() != 1.28 {
		t.Errorf("asked %d, handed %d, waste %v", st.Asked, st.Handed, st.Waste())
	}
	if st.Hits() != st.Gets-1 {
		t.Errorf("%d hits of %d Gets with one miss", st.Hits(), st.Gets)
	}
}

func TestAtLevelUsesTheFirst64UsesOfAHeaderAreCountedAtOnce(t *testing.T) {
	exactly(t)
	p := New(Options{Stats: pool.Uses})
	for i := range uint64(64) {
		b := filled(p, 100)
		if st := p.Stats(); st.Gets != i+1 || st.Handed != 128*i {
			t.Fatalf("in use %d: %d Gets, %d bytes handed out", i+1, st.Gets, st.Handed)
		}
		b.Release()
		if st := p.Stats(); st.Gets != i+1 || st.Asked != 100*(i+1) || st.Handed != 128*(i+1) || st.Waste() != 1.28 {
			t.Fatalf("after use %d: %d Gets, %d bytes asked for, %d handed out", i+1, st.Gets, st.Asked, st.Handed)
		}
	}
	normalBuild(t, "has a new header for each Get")
	p.Get(100).Release()
	if st := p.Stats(); st.Gets != 64 || st.Handed != 64*128 {
		t.Errorf("use 65 was not held back: %d Gets, %d bytes handed out", st.Gets, st.Handed)
	}
}

func TestHeaderlessUsesAreCountedAtOnce(t *testing.T) {
	exactly(t)
	p := New(Options{Stats: pool.Uses, Max: 1024})
	p.Free(p.Bytes(100))
	s := p.Sized(100)
	s.PutPtr(s.GetPtr())
	p.Free(p.Bytes(1025)) // above Max
	st := p.Stats()
	if st.Gets != 3 || st.Asked != 1225 || st.Handed != 128+128+1088 || st.Oversize != 1 || st.Misses != 2 {
		t.Errorf("%+v", st)
	}
}

// What a growing buffer asked for is the memory that it left, as asked, and the
// length at the end.
func TestGrowthIsCountedByClass(t *testing.T) {
	exactly(t)
	for name, get := range map[string]func(p *Pool) *Buffer{
		"Append": func(p *Pool) *Buffer { b := p.Append(); b.Write(make([]byte, 64)); return b },
		"Get":    func(p *Pool) *Buffer { return filled(p, 64) },
	} {
		p := New(Options{Stats: pool.Leaks, Start: 64})
		b := get(p)
		b.Write(make([]byte, 36)) // to 256
		b.Release()
		st := p.Stats()
		if st.Gets != 2 || st.Asked != 64+100 || st.Handed != 64+256 || st.InUse != 0 || st.InUseBytes != 0 {
			t.Errorf("%s: %+v", name, st)
		}
		if len(st.Class) != 2 || st.Class[0].Size != 64 || st.Class[1].Size != 256 || st.Class[1].Asked != 100 {
			t.Errorf("%s: classes: %+v", name, st.Class)
		}
	}
}

func TestEveryWayOutEndsTheUse(t *testing.T) {
	p := New(Options{Stats: pool.Leaks, Max: 4096})
	for name, end := range map[string]func(b *Buffer){
		"Release":          func(b *Buffer) { b.Release() },
		"CopyAndRelease":   func(b *Buffer) { b.CopyAndRelease() },
		"Take":             func(b *Buffer) { b.Take() },
		"Share":            func(b *Buffer) { b.Share().Release() },
		"Share and Own":    func(b *Buffer) { b.Share().Own().Release() },
		"growth":           func(b *Buffer) { b.Grow(1000); b.Release() },
		"growth above Max": func(b *Buffer) { b.Grow(10_000); b.Release() },
		"growth and Take":  func(b *Buffer) { b.Grow(10_000); b.Take() },
		"Clone":            func(b *Buffer) { b.Clone().Release(); b.Release() },
	} {
		b := filled(p, 100)
		if st := p.Stats(); st.InUse != 1 || st.InUseBytes != 128 {
			t.Fatalf("%s: before, %d buffers of %d bytes in use", name, st.InUse, st.InUseBytes)
		}
		end(b)
		if st := p.Stats(); st.InUse != 0 || st.InUseBytes != 0 || st.Lost != 0 {
			t.Errorf("%s: after, %d buffers of %d bytes in use, %d lost", name, st.InUse, st.InUseBytes, st.Lost)
		}
	}
}

func TestLostBuffersAreCountedAndNoOthers(t *testing.T) {
	before := ledger.Losses()["loser"]
	p := New(Options{Name: "loser", Stats: pool.Leaks, Max: 4096})
	var kept []*Buffer
	func() {
		for i := range 10 {
			b := filled(p, 100) // lost
			switch i {
			case 0:
				b.Grow(1000)
			case 1:
				b.Grow(10_000) // above Max
			case 2:
				b.Share().Retain()
			}
			p.Get(200).Release()
			p.Get(300).Take()
			kept = append(kept, p.Get(400))
			for _, b := range []*Buffer{p.Get(500), p.Append()} {
				b.Release()
			}
		}
	}()
	for end := time.Now().Add(30 * time.Second); p.Stats().Lost < 10 && time.Now().Before(end); {
		gcepoch.Collect(1) // the cleanups run some time after it
	}
	gcepoch.Collect(3) // whatever else would be found
	st := p.Stats()
	if st.Lost != 10 {
		t.Errorf("%d lost, want 10", st.Lost)
	}
	// Package pooltest reads the losses of the process. The checked build counts
	// the references of the buffer that was shared one by one.
	if n := ledger.Losses()["loser"] - before; n != 10 && !checked {
		t.Errorf("%d losses of the process, want 10", n)
	}
	for _, c := range st.Class {
		if want := map[int]uint64{128: 8, 1280: 1, 0: 1}[c.Size]; c.Lost != want {
			t.Errorf("class %d: %d lost, want %d: a buffer that has grown is lost from where it is", c.Size, c.Lost, want)
		}
		if c.InUse < 0 || c.InUseBytes != c.InUse*int64(c.Size) && c.Size > 0 {
			t.Errorf("class %d: %d in use of %d bytes", c.Size, c.InUse, c.InUseBytes)
		}
	}
	if st.InUse != 10 || st.InUseBytes != 10*448 {
		t.Errorf("%d in use of %d bytes, want the 10 that are kept", st.InUse, st.InUseBytes)
	}
	runtime.KeepAlive(kept)
	runtime.KeepAlive(p)
}

func TestEachListsThePoolsThatHaveAName(t *testing.T) {
	p := New(Options{Name: "TestEach"})
	p.Get(1)
	found := 0
	for s := range All() {
		if s.Name == "TestEach" {
			found++
			if s.Misses != 1 {
				t.Errorf("%d misses, want 1", s.Misses)
			}
		}
		if s.Name == "" {
			t.Error("a pool without a name is listed")
		}
	}
	if found != 1 {
		t.Errorf("listed %d times", found)
	}
	runtime.KeepAlive(p)
}

// A header holds counts back. They are added when it leaves for good.
func TestTakeAddsTheCountsThatAHeaderHeldBack(t *testing.T) {
	exactly(t)
	normalBuild(t, "has a header for each Get")
	p := New(Options{Stats: pool.Uses})
	const uses = countEarly + flushEvery/2
	for range uses {
		p.Get(100).Release()
	}
	p.Get(100).Take()
	if st := p.Stats(); st.Gets != uses+1 || st.Asked != 100*(uses+1) || st.Handed != 128*(uses+1) {
		t.Errorf("%d gets, %d asked, %d handed out; want %d of 100 and 128", st.Gets, st.Asked, st.Handed, uses+1)
	}
}
