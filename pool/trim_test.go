package pool_test

import (
	"runtime"
	"sync"
	"testing"
	"weak"

	"github.com/poolproof/poolproof/internal/gcepoch"
	"github.com/poolproof/poolproof/pool"
)

func TestTrimDropsWhatWaits(t *testing.T) {
	exactly(t)
	for _, form := range forms {
		t.Run(form.name, func(t *testing.T) {
			p := pool.New(form.rules)
			if n := p.Trim(); n != 0 {
				t.Errorf("Trim of an empty pool dropped %d objects", n)
			}
			var all []*item
			for range 20 {
				all = append(all, p.Get())
			}
			var handles []weak.Pointer[item]
			for _, x := range all {
				handles = append(handles, weak.Make(x))
				p.Put(x)
			}
			clear(all)
			if n := p.Trim(); n != 20 {
				t.Errorf("Trim dropped %d objects, want 20", n)
			}
			if s := p.Stats(); s.Reserved != 0 {
				t.Errorf("%d objects are still in reserve", s.Reserved)
			}
			runtime.GC()
			for i, w := range handles {
				if w.Value() != nil {
					t.Errorf("object %d is still referred to", i)
				}
			}
			misses := p.Stats().Misses
			p.Put(p.Get())
			if p.Stats().Misses != misses+1 {
				t.Error("the pool was not empty after Trim")
			}
			runtime.KeepAlive(p)
		})
	}
}

func TestTrimReachesObjectsThatSurvivedACollection(t *testing.T) {
	exactly(t)
	p := pool.New(pool.Options[item]{})
	for range 10 {
		p.Put(new(item))
	}
	gcepoch.Collect(1)
	for range 10 {
		p.Put(new(item))
	}
	if n := p.Trim(); n != 20 {
		t.Errorf("Trim dropped %d objects, want 20", n)
	}
}

func TestTrimEndsWhileOthersUseThePool(t *testing.T) {
	for _, level := range []pool.StatsLevel{pool.Misses, pool.Uses, pool.Leaks} {
		p := pool.New(pool.Options[item]{Stats: level, Reserve: 2, Reset: func(x *item) { *x = item{} }})
		var users, trims sync.WaitGroup
		stop := make(chan bool)
		for owner := range uint64(8) {
			users.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					x := p.Get()
					if *x != (item{}) {
						t.Errorf("owner %d got an object that holds %v", owner, x.words)
					}
					x.words[0] = owner + 1
					runtime.Gosched()
					if x.words[0] != owner+1 {
						t.Errorf("owner %d found the stamp of owner %d", owner, x.words[0]-1)
					}
					p.Put(x)
				}
			})
		}
		for range 4 {
			trims.Go(func() {
				for range 50 {
					p.Trim()
				}
			})
		}
		trims.Wait()
		close(stop)
		users.Wait()
	}
}

// Trim is called when memory is short.
func TestTrimMakesNothing(t *testing.T) {
	made := 0
	p := pool.New(pool.Options[item]{New: func() *item { made++; return new(item) }})
	p.Trim()
	x := p.Get()
	p.Trim()
	p.Put(x)
	before := made
	p.Trim()
	if p.Trim(); made != before || p.Stats().Misses != uint64(made) {
		t.Errorf("%d objects made by Trim, %d misses", made-before, p.Stats().Misses)
	}
}
