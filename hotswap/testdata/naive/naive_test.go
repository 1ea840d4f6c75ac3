package naive

import (
	"sync"
	"sync/atomic"
	"testing"
)

// TestReadersAndAWriter passes as a rule without the race detector, torn pages or
// not: it counts them.
func TestReadersAndAWriter(t *testing.T) {
	var wg sync.WaitGroup
	var done atomic.Bool
	torn := make([]int, 3)
	for i := range torn {
		wg.Go(func() {
			for !done.Load() {
				if Torn() {
					torn[i]++
				}
			}
		})
	}
	for n := range uint64(20_000) {
		Update(n)
	}
	done.Store(true)
	wg.Wait()
	t.Logf("torn reads: %d", torn)
}

// TestInTurns is what is often tested: one goroutine, or several in turns.
func TestInTurns(t *testing.T) {
	for n := range uint64(1000) {
		Update(n)
		if Torn() {
			t.Error("torn")
		}
	}
}
