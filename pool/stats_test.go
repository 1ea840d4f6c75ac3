package pool_test

import (
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/poolproof/poolproof/internal/expect"
	"github.com/poolproof/poolproof/internal/gcepoch"
	"github.com/poolproof/poolproof/pool"
)

// goexit ends its goroutine, in a function of its own so that vet does not see
// code after it.
func goexit() { runtime.Goexit() }

func TestEachLevelCountsWhatItSays(t *testing.T) {
	exactly(t)
	for _, level := range []pool.StatsLevel{pool.Misses, pool.Uses, pool.Leaks} {
		p := pool.New(pool.Options[item]{Name: "levels", Stats: level})
		x, y := p.Get(), p.Get()
		p.Put(x)
		p.Put(nil)
		p.Put(new(item)) // of other origin
		z := p.Get()
		want := pool.Stats{Name: "levels", Level: level, Misses: 2}
		if level >= pool.Uses {
			want.Gets, want.Puts = 3, 2
		}
		if level >= pool.Leaks {
			want.InUse, want.Foreign = 2, 1
		}
		got := p.Stats()
		if got != want {
			t.Errorf("at %s: %+v, want %+v", level, got, want)
		}
		hits := uint64(0)
		if level >= pool.Uses {
			hits = 1
		}
		if got.Hits() != hits {
			t.Errorf("at %s: %d hits, want %d", level, got.Hits(), hits)
		}
		runtime.KeepAlive(y)
		runtime.KeepAlive(z)
	}
}

func TestUsesAreReusesAndMisses(t *testing.T) {
	exactly(t)
	p := pool.New(pool.Options[item]{Stats: pool.Uses})
	for i := range 100 {
		held := []*item{p.Get(), p.Get()}
		for _, x := range held[i%2:] {
			p.Put(x)
		}
	}
	s := p.Stats()
	if s.Gets != 200 || s.Puts != 150 || s.Gets != s.Misses+s.Hits() || s.Misses != 51 {
		t.Errorf("%+v, want 200 Gets, 150 Puts and 51 misses", s)
	}
}

func TestLevelsHaveNames(t *testing.T) {
	for level, want := range map[pool.StatsLevel]string{pool.Misses: "Misses", pool.Uses: "Uses", pool.Leaks: "Leaks", 9: "StatsLevel(9)"} {
		if got := level.String(); got != want {
			t.Errorf("level %d is called %q, want %q", level, got, want)
		}
	}
}

func TestDropsAddUp(t *testing.T) {
	if got := (pool.Drops{Keep: 1, MaxSize: 20, Underused: 300, Abandoned: 4000, Twice: 50000}).Total(); got != 54321 {
		t.Errorf("Total is %d, want 54321", got)
	}
}

func TestEachListsThePoolsThatHaveAName(t *testing.T) {
	a := pool.New(pool.Options[item]{Name: "each: a"})
	unnamed := pool.New(pool.Options[item]{})
	b := pool.New(pool.Options[sized]{Name: "each: b", Stats: pool.Uses})
	b.Put(b.Get())
	var got []string
	for s := range pool.All() {
		if strings.HasPrefix(s.Name, "each: ") || s.Name == "" {
			got = append(got, s.Name)
			if s.Name == "each: b" && s.Gets != 1 {
				t.Errorf("%+v, want 1 Get", s)
			}
		}
	}
	if strings.Join(got, ", ") != "each: a, each: b" {
		t.Errorf("All gave %q, want the two with a name, in order", got)
	}
	runtime.KeepAlive(a)
	runtime.KeepAlive(b)
	runtime.KeepAlive(unnamed)
}

// lose gets n objects of p and forgets them.
//
//go:noinline
func lose[T any](p *pool.Pool[T], n int) {
	for range n {
		p.Get()
	}
}

func TestLostObjectsAreFoundAllOfThemAndNoOthers(t *testing.T) {
	p := pool.New(pool.Options[item]{Stats: pool.Leaks, New: func() *item { return new(item) }})
	held := p.Get()
	for range 20 {
		p.Put(p.Get())
	}
	lose(p, 10)
	for range 20 {
		p.Put(p.Get())
	}
	expect.AfterGC(t, "10 lost", func() bool { return p.Stats().Lost >= 10 })
	gcepoch.Collect(3)
	if s := p.Stats(); s.Lost != 10 || s.InUse != 1 {
		t.Errorf("%d lost and %d in use, want 10 and 1", s.Lost, s.InUse)
	}
	p.Put(held)
	p.Trim()
	gcepoch.Collect(3)
	if s := p.Stats(); s.Lost != 10 || s.InUse != 0 {
		t.Errorf("after all that was left was put: %d lost and %d in use, want 10 and 0", s.Lost, s.InUse)
	}
}

func TestObjectsThatThePoolDropsAreNotLost(t *testing.T) {
	p := pool.New(pool.Options[sized]{Stats: pool.Leaks, Keep: func(*sized) bool { return false }})
	for range 50 {
		p.Put(p.Get())
	}
	expect.Panic(func() { p.With(func(*sized) { panic("boom") }) })
	gcepoch.Collect(4)
	if s := p.Stats(); s.Lost != 0 || s.InUse != 0 {
		t.Errorf("%d lost and %d in use, want none", s.Lost, s.InUse)
	}
}

// static objects are not on the heap, and objects of no size share an address.
var static [4]item

func TestTheLevelLeaksTakesAnyObject(t *testing.T) {
	t.Run("of the linker", func(t *testing.T) {
		next := 0
		p := pool.New(pool.Options[item]{Stats: pool.Leaks, New: func() *item { next++; return &static[next-1] }})
		p.Put(p.Get())
		p.Put(&static[3])
		lose(p, 1)
		gcepoch.Collect(2)
		if s := p.Stats(); s.Lost != 0 || s.InUse != 1 {
			t.Errorf("%+v, want 1 in use: it is not lost as long as the program runs", s)
		}
	})
	t.Run("without size", func(t *testing.T) {
		p := pool.New(pool.Options[struct{}]{Stats: pool.Leaks})
		x, y := p.Get(), p.Get()
		p.Put(x)
		p.Put(y)
		p.Put(y)
		if s := p.Stats(); s.Gets != 2 || s.Puts != 3 || s.InUse != 0 || s.Dropped.Total() != 0 {
			t.Errorf("%+v, want 2 Gets, 3 Puts and nothing known of what is out", s)
		}
	})
	t.Run("small, without pointers", func(t *testing.T) {
		p := pool.New(pool.Options[byte]{Stats: pool.Leaks})
		for range 100 {
			p.Put(p.Get())
		}
		lose(p, 100)
		gcepoch.Collect(3)
		// A cleanup may come between the two numbers of one Stats.
		expect.AfterGC(t, "100 in use and lost together", func() bool {
			s := p.Stats()
			return s.Lost <= 100 && s.InUse+int64(s.Lost) == 100
		})
	})
	t.Run("a part of another", func(t *testing.T) {
		whole := new([4]item)
		p := pool.New(pool.Options[item]{Stats: pool.Leaks})
		for i := range whole {
			p.Put(&whole[i])
		}
		if s := p.Stats(); s.Foreign != 4 {
			t.Errorf("%d foreign objects, want 4", s.Foreign)
		}
	})
}

func TestStatisticsOfManyGoroutinesAreExact(t *testing.T) {
	for _, level := range []pool.StatsLevel{pool.Uses, pool.Leaks} {
		p := pool.New(pool.Options[item]{Stats: level})
		var wg sync.WaitGroup
		const owners, uses = 16, 500
		for range owners {
			wg.Go(func() {
				for range uses {
					x := p.Get()
					x.words[0]++
					p.Put(x)
				}
			})
		}
		wg.Wait()
		if s := p.Stats(); s.Gets != owners*uses || s.Puts != owners*uses || s.Misses == 0 || s.Misses > s.Gets || s.InUse > 0 || s.Dropped.Total() != 0 {
			t.Errorf("at %s: %+v, want %d Gets and Puts", level, s, owners*uses)
		}
	}
}
