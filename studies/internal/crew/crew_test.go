package crew

import (
	"slices"
	"testing"
	"testing/synctest"

	"github.com/poolproof/poolproof/studies/internal/exact"
)

func TestEachGoroutineWorksOnceAnOperation(t *testing.T) {
	for _, n := range []int{1, 2, 8} {
		calls := make([]int, n)
		c := New(n, func(i int) { calls[i]++ })
		for op := 1; op <= 100; op++ {
			c.Run()
			if want := slices.Repeat([]int{op}, n); !slices.Equal(calls, want) {
				t.Fatalf("after %d operations of %d goroutines: calls %v, want %v", op, n, calls, want)
			}
		}
		c.Close()
	}
}

func TestGoroutinesWorkAtTheSameTime(t *testing.T) {
	meet := make(chan struct{})
	c := New(2, func(i int) {
		if i == 0 {
			meet <- struct{}{} // the other one must be there to take it
		} else {
			<-meet
		}
	})
	defer c.Close()
	c.Run()
}

// The bubble of synctest ends only when all its goroutines have.
func TestCloseEndsTheGoroutines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(3, func(int) {})
		c.Run()
		c.Close()
	})
}

func TestAnOperationAllocatesNothing(t *testing.T) {
	c := New(4, func(int) {})
	defer c.Close()
	if allocs, bytes := exact.Counters(t, c.Run); allocs != 0 || bytes != 0 {
		t.Errorf("%d allocations of %d bytes an operation, want none", allocs, bytes)
	}
}
