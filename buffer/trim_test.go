package buffer

import (
	"runtime"
	"testing"
)

func TestTrimDropsWhatWaitsDownToSomeBytes(t *testing.T) {
	exactly(t)
	fill := func() *Pool {
		p := New(Options{})
		b := []*Buffer{p.Get(1024), p.Get(1024), p.Get(4096), p.Append(), p.Sized(1024).Get()}
		raw := p.Bytes(2048)
		x := p.Sized(2048).GetPtr()
		for _, b := range b {
			b.Release()
		}
		p.Free(raw)
		p.Sized(2048).PutPtr(x)
		return p // 3 of 1024, 2 of 2048, 2 of 4096
	}
	const all = 3*1024 + 2*2048 + 2*4096
	for _, c := range []struct{ to, want int64 }{
		{0, all}, {-5, all}, {1023, all}, {1024, all - 1024}, {3 * 1024, all - 3*1024},
		{3*1024 + 2048, all - 3*1024 - 2048}, {all - 1, 4096}, {all, 0}, {1 << 40, 0},
	} {
		p := fill()
		if got := p.Trim(c.to); got != c.want {
			t.Errorf("Trim(%d) dropped %d bytes of %d, want %d", c.to, got, int64(all), c.want)
		}
		if got := p.Trim(0); got != all-c.want {
			t.Errorf("after Trim(%d) %d bytes were left, want %d", c.to, got, all-c.want)
		}
		before := p.Stats().Misses
		p.Get(4096).Release()
		if got := p.Stats().Misses; got != before+1 {
			t.Errorf("an empty pool did not miss")
		}
	}
}

func TestTrimDropsTheReserveFirst(t *testing.T) {
	rarely(t)
	p := New(Options{Reserve: 1 << 20})
	a, b := p.Get(1024), p.Get(1024)
	a.Release()
	b.Release() // both in reserve
	p.Get(1024).Release()
	// The reserve gave one, which went to the pool: no miss in a new epoch.
	if st := p.Stats(); st.Reserved != 1 {
		t.Fatalf("%d in reserve, want 1", st.Reserved)
	}
	if got := p.Trim(1024); got != 1024 {
		t.Errorf("dropped %d, want 1024", got)
	}
	if st := p.Stats(); st.Reserved != 0 {
		t.Errorf("%d in reserve, want 0", st.Reserved)
	}
	before := p.Stats().Misses
	p.Get(1024)
	if got := p.Stats().Misses; got != before {
		t.Error("the buffer in the pool was dropped too")
	}
}

// Trim is called when memory is short: it makes no buffer to find out that there is
// none.
func TestTrimAllocatesNoMemory(t *testing.T) {
	exactly(t)
	p := New(Options{Max: 64 << 20})
	b := p.Get(64 << 20)
	for _, size := range p.options.Classes {
		if size <= 1<<20 {
			p.Get(size).Release()
			p.Free(p.Bytes(size))
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	p.Trim(0)
	misses := p.Stats().Misses
	p.Trim(0)
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 256<<10 || p.Stats().Misses != misses {
		t.Errorf("two calls of Trim allocated %d bytes and missed %d times", got, p.Stats().Misses-misses)
	}
	b.Release()
	if !checked {
		if got := p.Trim(0); got != 64<<20 {
			t.Errorf("Trim dropped %d bytes, want the buffer that came back", got)
		}
	}
}

// What the classes before have kept counts: the reserve as a whole falls to the bound.
func TestTrimOfTheReserveCountsAllClasses(t *testing.T) {
	rarely(t)
	p := New(Options{Reserve: 1 << 20})
	var all []*Buffer
	for range 10 {
		all = append(all, p.Get(1024), p.Get(4096), p.Get(8192))
	}
	for _, b := range all {
		b.Release()
	}
	p.Trim(10_000)
	if got := p.Stats().ReservedBytes; got > 10_000 || got < 9000 {
		t.Errorf("%d bytes in reserve after Trim(10000)", got)
	}
}
