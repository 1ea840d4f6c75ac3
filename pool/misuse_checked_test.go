//go:build poolproofdebug

package pool_test

import (
	"runtime"
	"strings"
	"testing"
	"time"
	"weak"

	"github.com/poolproof/poolproof/internal/expect"
	"github.com/poolproof/poolproof/internal/gcepoch"
	"github.com/poolproof/poolproof/internal/ledger"
	"github.com/poolproof/poolproof/pool"
)

// The places that reports must name.

//go:noinline
func getHere[T any](p *pool.Pool[T]) *T { return p.Get() }

//go:noinline
func putHere[T any](p *pool.Pool[T], x *T) { p.Put(x) }

//go:noinline
func putAgainHere[T any](p *pool.Pool[T], x *T) { p.Put(x) }

func TestChecked(t *testing.T) {
	if !ledger.Checked {
		t.Fatal("the build tag does not reach the library")
	}
}

func TestCheckedGetsAreAllNew(t *testing.T) {
	p := pool.New(pool.Options[item]{Reset: clean, Reserve: 4})
	seen := make(map[*item]bool)
	for range 100 {
		x := p.Get()
		if seen[x] {
			t.Fatal("an object was used again")
		}
		seen[x] = true
		p.Put(x)
	}
	if m := p.Stats().Misses; m != 100 {
		t.Errorf("%d misses, want 100", m)
	}
}

func TestCheckedASecondPutPanicsWithThreeStacks(t *testing.T) {
	for _, between := range []int{0, 500} { // while it is watched, and after
		p := pool.New(pool.Options[item]{Name: "twice", Reset: clean})
		x := getHere(p)
		putHere(p, x)
		for range between {
			p.Put(p.Get())
		}
		runtime.GC()
		text := expect.Panic(func() { putAgainHere(p, x) })
		expect.InOrder(t, text, "pool: twice: the object at 0x", "was put twice", "it was got at\n", "getHere", "misuse_checked_test.go:",
			"put first at\n", "putHere", "and put again at\n", "putAgainHere", "misuse_checked_test.go:")
		if strings.Contains(text, "pool.(*") {
			t.Errorf("frames of the library are in\n%s", text)
		}
	}
}

func TestCheckedASecondPutByWithAndLocalPanics(t *testing.T) {
	p := pool.New(pool.Options[item]{})
	text := expect.Panic(func() { p.With(func(x *item) { putHere(p, x) }) })
	expect.InOrder(t, text, "was put twice", "put first at\n", "putHere", "TestCheckedASecondPutByWith", "pool.(*Pool[...]).With(...)", "TestCheckedASecondPutByWith")
	l := p.Local(4)
	x := l.Get()
	l.Put(x)
	expect.InOrder(t, expect.Panic(func() { l.Put(x) }), "was put twice")
}

func TestCheckedAnObjectOfOtherOriginMayBePutOnce(t *testing.T) {
	p := pool.New(pool.Options[item]{})
	x := new(item)
	putHere(p, x)
	expect.InOrder(t, expect.Panic(func() { p.Put(x) }), "was put twice", "got at\n\t(unknown place)\n", "put first at\n", "putHere")
	p.Put(&static[0])
}

func TestCheckedAWriteAfterPutIsFoundWhenTheWatchEnds(t *testing.T) {
	for name, end := range map[string]func(p *pool.Pool[item]){
		"by many Puts": func(p *pool.Pool[item]) {
			for range 100 {
				p.Put(p.Get())
			}
		},
		"by Trim": func(p *pool.Pool[item]) { p.Trim() },
	} {
		t.Run(name, func(t *testing.T) {
			p := pool.New(pool.Options[item]{Name: "written", Reset: clean})
			x := getHere(p)
			putHere(p, x)
			x.words[7]++
			text := expect.Panic(func() { end(p) })
			expect.InOrder(t, text, "pool: written: an object of 64 bytes at 0x", "was written after Put", "it was got at\n", "getHere", "and put at\n", "putHere")
			if again := expect.Panic(func() { end(p) }); again != "" {
				t.Errorf("the same write was reported again: %s", again)
			}
		})
	}
}

func TestCheckedAnObjectThatARuleDroppedIsWatchedToo(t *testing.T) {
	p := pool.New(pool.Options[item]{Keep: func(*item) bool { return false }})
	x := p.Get()
	p.Put(x)
	x.words[0]++
	expect.InOrder(t, expect.Panic(func() { p.Trim() }), "was written after Put")
}

func TestCheckedReadsAfterPutAndWritesBeforeItAreNotReported(t *testing.T) {
	p := pool.New(pool.Options[item]{Reset: func(x *item) { x.words[0] = 1 }})
	var sum uint64
	for i := range 300 {
		x := p.Get()
		x.words[1] = uint64(i)
		p.Put(x)
		sum += x.words[0]
	}
	if n := p.Trim(); n != 64 || sum != 300 {
		t.Errorf("%d objects were watched, want 64, and %d resets, want 300", n, sum)
	}
}

func TestCheckedLeaksListsWhatIsOutWithItsGet(t *testing.T) {
	p := pool.New(pool.Options[item]{Name: "leaks"})
	if got := p.Leaks(); got != nil {
		t.Errorf("an unused pool leaks %q", got)
	}
	x := getHere(p)
	y := p.Get()
	z := getHere(p)
	p.Put(y)
	got := p.Leaks()
	if len(got) != 2 {
		t.Fatalf("%d objects out, want 2: %q", len(got), got)
	}
	expect.InOrder(t, got[0], "leaks: an object of 64 bytes at 0x", "got at\n", "getHere[...](...)\n", "misuse_checked_test.go:", "TestCheckedLeaks")
	p.Put(x)
	p.Put(z)
	if got := p.Leaks(); got != nil {
		t.Errorf("after all were put the pool leaks %q", got)
	}
	lose(p, 1)
	for deadline := time.Now().Add(30 * time.Second); !strings.Contains(strings.Join(p.Leaks(), ""), "already collected"); {
		if time.Now().After(deadline) {
			t.Fatalf("what was collected while out is not listed: %q", p.Leaks())
		}
		gcepoch.Collect(1)
	}
	expect.Panic(func() { p.With(func(*item) { panic("boom") }) })
	if n := len(p.Leaks()); n != 1 {
		t.Errorf("%d objects out after With panicked, want 1 as before", n)
	}
}

// The watch holds objects, and must not hold them for a pool that is gone.
func TestCheckedTheWatchEndsWithThePool(t *testing.T) {
	handle := func() weak.Pointer[item] {
		p := pool.New(pool.Options[item]{})
		x := p.Get()
		p.Put(x)
		return weak.Make(x)
	}()
	expect.AfterGC(t, "released", func() bool { return handle.Value() == nil })
}

func TestCheckedObjectsWithoutSizeAreNotChecked(t *testing.T) {
	p := pool.New(pool.Options[struct{}]{Stats: pool.Leaks})
	x, y := p.Get(), p.Get()
	p.Put(x)
	p.Put(y)
	p.Put(y)
	p.Trim()
	if got := p.Leaks(); got != nil {
		t.Errorf("objects without size leak: %q", got)
	}
}

func TestCheckedCountsAreThoseOfTheNormalBuild(t *testing.T) {
	p := pool.New(pool.Options[item]{Stats: pool.Leaks, Keep: func(x *item) bool { return x.words[0] == 0 }})
	x, y := p.Get(), p.Get()
	x.words[0]++
	p.Put(x)
	p.Put(new(item))
	lose(p, 1)
	expect.AfterGC(t, "lost", func() bool { return p.Stats().Lost == 1 })
	want := pool.Stats{Level: pool.Leaks, Gets: 3, Puts: 2, Misses: 3, Dropped: pool.Drops{Keep: 1}, Foreign: 1, Lost: 1, InUse: 1}
	if got := p.Stats(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	p.Put(y)
}
