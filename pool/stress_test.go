package pool_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/poolproof/poolproof/pool"
)

// stamped is an object that knows its owner: 0 while it is in the pool.
type stamped struct {
	owner atomic.Int64
	words [6]int64 // plain: a second owner is a data race, too
	bytes int
}

// take stamps x, which must be nobody's.
func (x *stamped) take(t *testing.T, owner int64) {
	if !x.owner.CompareAndSwap(0, owner) {
		t.Errorf("owner %d got an object of owner %d", owner, x.owner.Load())
	}
	for i := range x.words {
		x.words[i] = owner
	}
}

// leave removes the stamp of owner, which must be everywhere.
func (x *stamped) leave(t *testing.T, owner int64) {
	for _, w := range x.words {
		if w != owner {
			t.Errorf("owner %d found the stamp of owner %d", owner, w)
		}
	}
	if !x.owner.CompareAndSwap(owner, 0) {
		t.Errorf("owner %d puts an object of owner %d", owner, x.owner.Load())
	}
}

// TestSixtyFourOwners uses all that a pool has at the same time: every rule,
// every level, Locals, With, hand-over to another goroutine, Trim, collections.
// Run with the race detector too.
func TestSixtyFourOwners(t *testing.T) {
	for _, level := range []pool.StatsLevel{pool.Misses, pool.Uses, pool.Leaks} {
		t.Run(level.String(), func(t *testing.T) {
			p := pool.New(pool.Options[stamped]{
				Name:          "stress",
				Reset:         func(x *stamped) { x.words = [6]int64{} },
				Keep:          func(x *stamped) bool { return x.bytes%97 != 0 || x.bytes == 0 },
				Size:          func(x *stamped) int { return x.bytes },
				MaxSize:       1 << 16,
				Used:          func(x *stamped) int { return x.bytes % 5000 },
				DropUnderused: true,
				Reserve:       16,
				Stats:         level,
			})
			const owners = 64
			uses := 400
			if testing.Short() {
				uses = 100
			}
			handed := make(chan *stamped, owners)
			var wg sync.WaitGroup
			for owner := int64(1); owner <= owners; owner++ {
				wg.Go(func() {
					l := p.Local(2)
					defer l.Close()
					for i := range uses {
						x := p.Get()
						x.take(t, owner)
						y := l.Get()
						y.take(t, owner)
						x.bytes = int(owner) * i * 30
						runtime.Gosched()
						y.leave(t, owner)
						l.Put(y)
						x.leave(t, owner)
						switch i % 4 {
						case 0: // another goroutine puts it
							handed <- x
							p.Put(<-handed)
						case 1:
							l.Put(x)
						default:
							p.Put(x)
						}
						p.With(func(z *stamped) {
							z.take(t, owner)
							z.leave(t, owner)
						})
						if i%50 == int(owner)%50 {
							runtime.GC()
							p.Trim()
							p.Stats()
							for range pool.All() {
							}
						}
					}
				})
			}
			wg.Wait()
			s := p.Stats()
			n := uint64(owners * uses)
			if level >= pool.Uses && (s.Gets != 3*n || s.Puts != 3*n) {
				t.Errorf("%d Gets and %d Puts, want %d of each", s.Gets, s.Puts, 3*n)
			}
			if level >= pool.Leaks && (s.InUse != 0 || s.Lost != 0 || s.Foreign != 0 || s.Dropped.Twice != 0) {
				t.Errorf("%+v, want nothing in use, lost, foreign or put twice", s)
			}
			if s.Dropped.Keep == 0 || s.Dropped.MaxSize == 0 || s.Dropped.Abandoned != 0 {
				t.Errorf("dropped %+v, want some by Keep and by MaxSize", s.Dropped)
			}
		})
	}
}
