package pool_test

import (
	"errors"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/poolproof/poolproof/internal/expect"
	"github.com/poolproof/poolproof/internal/ledger"
	"github.com/poolproof/poolproof/pool"
)

// exactly makes the pools of a test predictable until it ends: one processor,
// so that what is put is what comes back, and no garbage collection. It skips
// the test under the race detector and in the checked build.
func exactly(t *testing.T) {
	t.Helper()
	if raceDetector {
		t.Skip("sync.Pool drops objects at random under the race detector")
	}
	if ledger.Checked {
		t.Skip("the checked build uses no object again")
	}
	procs := runtime.GOMAXPROCS(1)
	percent := debug.SetGCPercent(-1)
	t.Cleanup(func() {
		debug.SetGCPercent(percent)
		runtime.GOMAXPROCS(procs)
	})
	runtime.GC() // one that was running before SetGCPercent
}

type item struct{ words [8]uint64 }

func TestAnObjectThatWasPutComesBack(t *testing.T) {
	exactly(t)
	p := pool.New(pool.Options[item]{})
	first := p.Get()
	first.words[0] = 7
	p.Put(first)
	if second := p.Get(); second != first || second.words[0] != 7 {
		t.Errorf("Get returned %p with %d, want %p with 7", second, second.words[0], first)
	}
}

func TestAnObjectOfAnotherOriginMayBePut(t *testing.T) {
	exactly(t)
	p := pool.New(pool.Options[item]{})
	mine := &item{words: [8]uint64{7}}
	p.Put(mine)
	if got := p.Get(); got != mine {
		t.Errorf("Get returned %p, want %p, which was put", got, mine)
	}
}

func TestAnEmptyPoolMakesZeroValues(t *testing.T) {
	p := pool.New(pool.Options[item]{})
	first, second := p.Get(), p.Get()
	if first == second {
		t.Error("two owners have the same object")
	}
	if *first != (item{}) || *second != (item{}) {
		t.Errorf("new objects hold %v and %v, want zero values", *first, *second)
	}
}

func TestNewIsAskedOnlyWhenThePoolHasNothing(t *testing.T) {
	exactly(t)
	made := 0
	p := pool.New(pool.Options[item]{New: func() *item {
		made++
		return &item{words: [8]uint64{uint64(made)}}
	}})
	x := p.Get()
	if made != 1 || x.words[0] != 1 {
		t.Fatalf("after the first Get New was called %d times and the object holds %d, want 1 and 1", made, x.words[0])
	}
	p.Put(x)
	p.Get()
	if made != 1 {
		t.Errorf("New was called again although an object was waiting")
	}
	p.Get()
	if made != 2 {
		t.Errorf("New was called %d times for an object in use and two waiting Gets, want 2", made)
	}
}

func TestNewMustNotReturnNil(t *testing.T) {
	p := pool.New(pool.Options[item]{New: func() *item { return nil }})
	defer func() {
		if got, want := recover(), "pool: Options.New returned nil"; got != want {
			t.Errorf("Get panicked with %v, want %q", got, want)
		}
	}()
	p.Get()
}

func TestTheZeroValuePanics(t *testing.T) {
	for name, use := range map[string]func(p *pool.Pool[item]){
		"Get": func(p *pool.Pool[item]) { p.Get() },
		"Put": func(p *pool.Pool[item]) { p.Put(new(item)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s of a pool that New has not made did not panic", name)
				}
			}()
			use(new(pool.Pool[item]))
		}()
	}
}

func TestResetRunsOnceForEachPutBeforeTheNextGet(t *testing.T) {
	exactly(t)
	resets := 0
	p := pool.New(pool.Options[item]{Reset: func(x *item) {
		resets++
		*x = item{}
	}})
	x := p.Get()
	if resets != 0 {
		t.Error("Get called Reset")
	}
	x.words[0] = 7
	p.Put(x)
	if resets != 1 {
		t.Errorf("Put called Reset %d times, want once", resets)
	}
	if got := p.Get(); got != x || got.words[0] != 0 || resets != 1 {
		t.Errorf("Get returned %p holding %d after %d resets, want %p, 0 and 1", got, got.words[0], resets, x)
	}
}

func TestAnObjectWhoseResetPanicsIsNotPut(t *testing.T) {
	exactly(t)
	p := pool.New(pool.Options[item]{Reset: func(x *item) { panic("cannot clean") }})
	x := p.Get()
	func() {
		defer func() {
			if recover() == nil {
				t.Error("Put swallowed the panic of Reset")
			}
		}()
		p.Put(x)
	}()
	if p.Get() == x {
		t.Error("an object that was not reset came back")
	}
}

func TestNilIsIgnored(t *testing.T) {
	exactly(t)
	for _, rules := range []pool.Options[item]{
		{},
		{Reset: func(x *item) { x.words[0] = 0 }}, // would fail on nil
	} {
		p := pool.New(rules)
		p.Put(nil)
		if p.Get() == nil {
			t.Error("nil was put and came back")
		}
	}
}

// TestOneOwnerAtATime runs with and without the race detector: with it, a
// second owner is a data race; without, a wrong stamp.
func TestOneOwnerAtATime(t *testing.T) {
	var made atomic.Int64
	p := pool.New(pool.Options[item]{
		New:   func() *item { made.Add(1); return new(item) },
		Reset: func(x *item) { *x = item{} },
	})
	const owners, uses = 8, 2000
	var wg sync.WaitGroup
	for owner := range uint64(owners) {
		wg.Go(func() {
			for range uses {
				x := p.Get()
				if *x != (item{}) {
					t.Errorf("owner %d got an object that holds %v", owner, x.words)
				}
				for i := range x.words {
					x.words[i] = owner + 1
				}
				runtime.Gosched()
				for _, w := range x.words {
					if w != owner+1 {
						t.Errorf("owner %d found the stamp of owner %d", owner, w-1)
					}
				}
				p.Put(x)
			}
		})
	}
	wg.Wait()
	if n := made.Load(); n == owners*uses && !ledger.Checked {
		t.Errorf("%d objects were made for %d uses: nothing was reused", n, owners*uses)
	}
}

func TestAZeroPoolPanicsInWords(t *testing.T) {
	for name, use := range map[string]func(*pool.Pool[item]){
		"Get":       func(p *pool.Pool[item]) { p.Get() },
		"Put":       func(p *pool.Pool[item]) { p.Put(new(item)) },
		"Put(nil)":  func(p *pool.Pool[item]) { p.Put(nil) },
		"With":      func(p *pool.Pool[item]) { p.With(func(*item) {}) },
		"WithError": func(p *pool.Pool[item]) { p.WithError(func(*item) error { return nil }) },
		"Local":     func(p *pool.Pool[item]) { p.Local(1) },
		"Stats":     func(p *pool.Pool[item]) { p.Stats() },
		"Trim":      func(p *pool.Pool[item]) { p.Trim() },
		"Leaks":     func(p *pool.Pool[item]) { p.Leaks() },
	} {
		if got, want := expect.Panic(func() { use(new(pool.Pool[item])) }), "pool: use of a Pool that was not made by New"; got != want {
			t.Errorf("%s of a zero Pool panics with %q, want %q", name, got, want)
		}
	}
}

func TestWithErrorReturnsTheErrorAndPutsTheObject(t *testing.T) {
	exactly(t)
	p := pool.New(pool.Options[item]{Reset: clean})
	failed := errors.New("failed")
	var lent *item
	for _, want := range []error{failed, nil} {
		if err := p.WithError(func(x *item) error { lent = x; x.words[0]++; return want }); err != want {
			t.Errorf("got %v, want %v", err, want)
		}
		if x := p.Get(); x != lent && !ledger.Checked || x.words[0] != 0 {
			t.Errorf("with error %v: the object was not put, or not cleaned", want)
		} else {
			p.Put(x)
		}
	}
	if expect.Panic(func() { p.WithError(func(*item) error { panic("no") }) }) != "no" || p.Stats().Dropped.Abandoned != 1 {
		t.Error("an object whose function panicked was kept")
	}
}
