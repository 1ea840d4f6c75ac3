package repeated

import (
	"fmt"
	"reflect"
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

// crowded reports whether the second pass has found several users of the pool at one moment.
func crowded() bool {
	return reflect.ValueOf(&pool).Elem().FieldByName("poolproofCrowded").FieldByName("v").Uint() != 0
}

// TestCrowd: an object has one user at a time, and once the crowd is gone the next Get returns
// what was put last, whichever goroutine asks.
func TestCrowd(t *testing.T) {
	const users, turns, most = 4, 50000, 20
	before, gets := made.Load(), int64(0)
	for range most { // on a busy machine two seldom run at the same time
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
		if gets += users * turns; crowded() {
			break
		}
	}
	if n := made.Load() - before; n > gets/4 {
		t.Errorf("%d objects were made for %d Gets", n, gets)
	}
	if !crowded() {
		t.Skip("no two users met")
	}
	for range 5000 {
		pool.Put(pool.Get())
	}
	if crowded() {
		t.Error("a pool with one user is crowded")
	}
}
