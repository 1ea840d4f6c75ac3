package repeated

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
)

type object struct {
	used atomic.Bool
	n    [8]int
}

var (
	made atomic.Int64
	pool = sync.Pool{New: func() any { made.Add(1); return new(object) }}
)

// use gets and puts n times from one place, and prints how many objects that took.
func use(n int) {
	before := made.Load()
	for range n {
		pool.Put(pool.Get())
	}
	if n > 1 { // the first run of a benchmark
		fmt.Println("in all made", made.Load()-before)
	}
}

func TestRepeated(t *testing.T)      { use(20000) }
func BenchmarkRepeated(b *testing.B) { use(b.N) }

// TestCrowd: an object has one user at a time, and once the crowd is gone the next Get returns
// what was put last, whichever goroutine asks.
func TestCrowd(t *testing.T) {
	const users, turns = 4, 50000
	before := made.Load()
	var all sync.WaitGroup
	for range users {
		all.Add(1)
		go func() {
			defer all.Done()
			for range turns {
				x := pool.Get().(*object)
				if x.used.Swap(true) {
					t.Error("two users have one object")
				}
				x.used.Store(false)
				pool.Put(x)
			}
		}()
	}
	all.Wait()
	if n := made.Load() - before; n > users*turns/4 {
		t.Errorf("%d objects were made for %d Gets", n, users*turns)
	}
	for range 5000 {
		pool.Put(pool.Get())
	}
	for range 100 {
		x := pool.Get()
		pool.Put(x)
		all.Add(1)
		go func() {
			defer all.Done()
			if y := pool.Get(); y != x {
				t.Error("another goroutine does not get what was put last")
			}
			pool.Put(x)
		}()
		all.Wait()
	}
}
