// Package leaks drops objects that it got. That is legal and never an error;
// the numbers must be exact. Each test has a type of its own, as the numbers
// are by pool and place.
package leaks

import (
	"errors"
	"sync"
	"testing"
)

type (
	dropped  struct{ n [4]int }
	returned struct{ n [4]int }
	failed   struct{ n [4]int }
	worked   struct{ n [4]int }
	wide     struct{ n [4096]int }
	kept     struct{ n [4]int }
	grown    struct{ buf []byte }
	bare     struct{ n [4]int }
)

//want:leaked dropped 7/20
func TestSevenOfTwentyAreDropped(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(dropped) }}
	for i := range 20 {
		x := pool.Get().(*dropped)
		x.n[0] = i
		if i%3 != 1 {
			pool.Put(x)
		}
	}
}

//want:leaked returned 0/50
func TestAllComeBack(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(returned) }}
	for range 50 {
		pool.Put(pool.Get())
	}
}

// The error path forgets to put.
//
//want:leaked failed 3/10
func TestErrorPathForgets(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(failed) }}
	do := func(i int) error {
		x := pool.Get().(*failed)
		if i%4 == 2 || i == 9 {
			return errors.New("refused")
		}
		pool.Put(x)
		return nil
	}
	for i := range 10 {
		if err := do(i); err != nil {
			t.Log(err)
		}
	}
}

// Four goroutines, one object each is forgotten.
//
//want:leaked worked 4/400
func TestEachOfFourGoroutinesForgetsOne(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(worked) }}
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 100 {
				x := pool.Get().(*worked)
				if i != 50 {
					pool.Put(x)
				}
			}
		}()
	}
	wg.Wait()
}

// Objects of their own spans.
//
//want:leaked wide 2/5
func TestLargeObjectsAreDropped(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(wide) }}
	for i := range 5 {
		if x := pool.Get().(*wide); i > 1 {
			pool.Put(x)
		}
	}
}

var held []*kept

// What is still in use at the end has not leaked.
//
//want:leaked kept 0/6
func TestWhatIsHeldHasNotLeaked(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(kept) }}
	for range 6 {
		held = append(held, pool.Get().(*kept))
	}
}

// Objects above a size are dropped on purpose: the program's own rule shows.
//
//want:leaked grown 5/10
func TestGrownBuffersAreDropped(t *testing.T) {
	pool := sync.Pool{New: func() any { return &grown{buf: make([]byte, 0, 64)} }}
	for i := range 10 {
		x := pool.Get().(*grown)
		x.buf = append(x.buf[:0], make([]byte, i*16)...)
		if cap(x.buf) <= 64 {
			pool.Put(x)
		}
	}
}

// Without New, an object belongs to a pool from its first Put on: nobody can
// tell that it ever should have come.
//
//want:leaked bare 0/10
func TestObjectsOfAPoolWithoutNew(t *testing.T) {
	var pool sync.Pool
	for i := range 10 {
		x, _ := pool.Get().(*bare)
		if x == nil {
			x = new(bare)
		}
		x.n[1] = i
		if i%2 == 0 {
			pool.Put(x)
		}
	}
}
