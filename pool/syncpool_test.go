package pool_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/poolproof/poolproof/internal/expect"
	"github.com/poolproof/poolproof/internal/gcepoch"
	"github.com/poolproof/poolproof/internal/ledger"
	"github.com/poolproof/poolproof/pool"
)

// What Go's own tests ask of sync.Pool, asked of every form of a Pool.

func eachForm(t *testing.T, f func(t *testing.T, p *pool.Pool[item])) {
	for _, form := range forms {
		t.Run(form.name, func(t *testing.T) { f(t, pool.New(form.rules)) })
	}
}

func TestSyncPoolWhatIsPutComesBackAndNothingElse(t *testing.T) {
	exactly(t)
	eachForm(t, func(t *testing.T, p *pool.Pool[item]) {
		put := make(map[*item]bool)
		for range 100 {
			x := new(item)
			put[x] = true
			p.Put(x)
		}
		for range 100 {
			x := p.Get()
			if !put[x] {
				t.Fatal("an object was made while others waited")
			}
			delete(put, x) // so that it does not come twice
		}
		if m := p.Stats().Misses; m != 0 {
			t.Errorf("%d misses, want 0", m)
		}
		if p.Get(); p.Stats().Misses != 1 {
			t.Errorf("%d misses after one Get more than Puts, want 1", p.Stats().Misses)
		}
	})
}

func TestSyncPoolKeepsObjectsForOneCollectionAndNotForTwo(t *testing.T) {
	exactly(t)
	for _, level := range []pool.StatsLevel{pool.Misses, pool.Uses, pool.Leaks} {
		p := pool.New(pool.Options[item]{Stats: level})
		put := make(map[*item]bool)
		for range 100 {
			x := new(item)
			put[x] = true
			p.Put(x)
		}
		gcepoch.Collect(1)
		if !put[p.Get()] {
			t.Errorf("%s: an object was made after one collection while others waited", level)
		}
		gcepoch.Collect(1)
		if put[p.Get()] {
			t.Errorf("%s: an object that nobody asked for outlived two collections", level)
		}
	}
}

// collectedOf puts n objects in p and returns a count of those that were
// collected. Their cleanups do not run while something refers to them.
func collectedOf(p *pool.Pool[item], n int) *atomic.Int64 {
	collected := new(atomic.Int64)
	for range n {
		x := new(item)
		runtime.AddCleanup(x, func(n *atomic.Int64) { n.Add(1) }, collected)
		p.Put(x)
	}
	return collected
}

func TestSyncPoolDoesNotReferToWhatItGaveOut(t *testing.T) {
	exactly(t)
	eachForm(t, func(t *testing.T, p *pool.Pool[item]) {
		const n = 100
		collected := collectedOf(p, n)
		for range n {
			p.Get()
		}
		// One may still be on a stack or in a register.
		expect.AfterGC(t, "collected", func() bool { return collected.Load() >= n-1 })
		runtime.KeepAlive(p)
	})
}

func TestSyncPoolReleasesObjectsThatNobodyAsksFor(t *testing.T) {
	eachForm(t, func(t *testing.T, p *pool.Pool[item]) {
		const n = 100
		collected := collectedOf(p, n)
		if n := p.Stats().Reserved; n != 0 {
			t.Errorf("%d objects in reserve, which no Get has missed", n)
		}
		expect.AfterGC(t, "collected", func() bool {
			p.Trim() // which ends the watch of the checked build
			return collected.Load() >= n-1
		})
	})
}

func TestSyncPoolStress(t *testing.T) {
	eachForm(t, func(t *testing.T, p *pool.Pool[item]) {
		uses := 20000
		if testing.Short() || raceDetector || ledger.Checked {
			uses = 500
		}
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				for range uses {
					x := p.Get()
					if x == nil || x.words[1] != 0 {
						t.Errorf("Get returned %v", x)
						return
					}
					p.Put(x)
				}
			})
		}
		wg.Wait()
	})
}

func TestSyncPoolNil(t *testing.T) {
	var p *pool.Pool[item]
	for name, use := range map[string]func(){
		"Get":   func() { p.Get() },
		"Put":   func() { p.Put(new(item)) },
		"With":  func() { p.With(func(*item) {}) },
		"Trim":  func() { p.Trim() },
		"Stats": func() { p.Stats() },
		"Local": func() { p.Local(1) },
	} {
		if expect.Panic(use) == "" {
			t.Errorf("%s of a nil pool did not panic", name)
		}
	}
}
