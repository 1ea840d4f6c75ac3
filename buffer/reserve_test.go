package buffer

import (
	"runtime"
	"testing"
	"time"
	"unsafe"

	"github.com/poolproof/poolproof/internal/gcepoch"

	"github.com/poolproof/poolproof/internal/reserve"
)

// collections lets n garbage collections pass, and what is told of each.
func collections(n int) { gcepoch.Collect(n) }

// rarely skips the test where nothing can be said of the reserve.
func rarely(t *testing.T) {
	t.Helper()
	normalBuild(t, "has no reserve")
	exactly(t)
}

func TestWithoutAReserveTwoCollectionsEmptyThePool(t *testing.T) {
	normalBuild(t, "keeps memory across collections to look at it")
	exactly(t)
	p := New(Options{})
	for range 50 {
		p.Get(9000).Release()
		collections(3)
	}
	if got := p.Stats().Misses; got != 50 {
		t.Errorf("%d misses in 50 uses, want 50", got)
	}
}

func TestTheReserveKeepsWhatIsUsedRarely(t *testing.T) {
	rarely(t)
	for name, use := range map[string]func(p *Pool){
		"Get":         func(p *Pool) { p.Get(9000).Release() },
		"Append":      func(p *Pool) { p.Append().Release() },
		"Sized":       func(p *Pool) { p.Sized(9000).Get().Release() },
		"Bytes":       func(p *Pool) { p.Free(p.Bytes(9000)) },
		"GetPtr":      func(p *Pool) { s := p.Sized(9000); s.PutPtr(s.GetPtr()) },
		"Pool.GetPtr": func(p *Pool) { p.PutPtr(p.GetPtr(9000)) },
		"Sized.Bytes": func(p *Pool) { s := p.Sized(9000); s.Free(s.Bytes()) },
	} {
		p := New(Options{Reserve: 1 << 20})
		for range 50 {
			use(p)
			collections(3)
		}
		st := p.Stats()
		if st.Misses != 1 || st.FromReserve != 49 {
			t.Errorf("%s: 50 rare uses make %d buffers and take %d from the reserve, want 1 and 49", name, st.Misses, st.FromReserve)
		}
		if st.Reserved != 1 || st.ReservedBytes < 4096 {
			t.Errorf("%s: %d buffers of %d bytes in reserve", name, st.Reserved, st.ReservedBytes)
		}
		runtime.KeepAlive(p)
	}
}

func TestTheReserveDecays(t *testing.T) {
	rarely(t)
	p := New(Options{Reserve: 1 << 20})
	p.Get(9000).Release()
	collections(reserve.DefaultIdleGCs - 1)
	if got := p.Stats().Reserved; got != 1 {
		t.Errorf("%d in reserve after %d collections, want 1", got, reserve.DefaultIdleGCs-1)
	}
	collections(1)
	if st := p.Stats(); st.Reserved != 0 || st.ReservedBytes != 0 || st.Decayed != 1 {
		t.Errorf("%d in reserve after %d collections, %d decayed; want 0 and 1", st.Reserved, reserve.DefaultIdleGCs, st.Decayed)
	}
	runtime.KeepAlive(p)
}

func TestTheReserveHasABound(t *testing.T) {
	rarely(t)
	fill := func(o Options) Stats {
		p := New(o)
		var all []*Buffer
		for range 10 {
			all = append(all, p.Get(1024), p.Get(4096))
		}
		for _, b := range all {
			b.Release()
		}
		return p.Stats()
	}
	if st := fill(Options{Reserve: 1 << 20}); st.ReservedBytes != 10*(1024+4096) {
		t.Errorf("%d bytes in reserve, want all", st.ReservedBytes)
	}
	if st := fill(Options{Reserve: 10_000}); st.ReservedBytes > 10_000 || st.ReservedBytes < 6000 {
		t.Errorf("%d bytes in reserve, want no more than 10000, and nearly that", st.ReservedBytes)
	}
}

func TestTheReserveHoldsClearedMemory(t *testing.T) {
	rarely(t)
	p := New(Options{Reserve: 1 << 20, Zero: ZeroUsed})
	b := p.Get(1000)
	copy(b.Bytes(), canaries(1000))
	b.Release()
	collections(3)
	b = p.Get(1000)
	if st := p.Stats(); st.FromReserve != 1 || !isZero(memory(b)) {
		t.Errorf("%d from the reserve, zero: %t", st.FromReserve, isZero(memory(b)))
	}
}

// A pool that nobody uses must be collectable: neither the list of names nor
// what counts collections may keep it.
func TestAPoolThatIsNotUsedIsCollected(t *testing.T) {
	gone := make(chan struct{})
	func() {
		p := New(Options{Name: "short-lived", Reserve: 1 << 20})
		p.Get(1000).Release()
		b := p.Bytes(1000)
		p.Free(b)
		runtime.AddCleanup(p, func(c chan struct{}) { close(c) }, gone)
	}()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); {
		collections(1)
		select {
		case <-gone:
			return
		case <-time.After(time.Millisecond): // for the cleanup
		}
	}
	t.Error("the pool is still there after 30 seconds of collections")
}

// n buffers in use at once cost n misses, the first time: what filling the pool
// in advance would cost, too. The package documentation says so.
func TestFirstUseMissesOnceForEachBufferInUseAtOnce(t *testing.T) {
	exactly(t)
	p := New(Options{})
	burst := func() {
		var all [20]*Buffer
		for i := range all {
			all[i] = p.Get(9000)
		}
		for _, b := range all {
			b.Release()
		}
	}
	burst()
	if got := p.Stats().Misses; got != 20 {
		t.Errorf("the first burst of 20 missed %d times", got)
	}
	burst()
	burst()
	if got := p.Stats().Misses; got != 20 {
		t.Errorf("later bursts missed %d times", got-20)
	}
	if checked {
		return // which keeps memory to look at it
	}
	runtime.GC()
	runtime.GC()
	burst()
	if got := p.Stats().Misses; got != 40 {
		t.Errorf("after two collections without a use a burst missed %d times, want 20", got-20)
	}
	x := p.Get(9000)
	if unsafe.SliceData(x.b) == nil {
		t.Error("no memory")
	}
}
