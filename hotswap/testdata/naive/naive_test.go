package naive

import (
	"sync"
	"sync/atomic"
	"testing"
)

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
