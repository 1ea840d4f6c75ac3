package build

import (
	"runtime"
	"sync"
)

// Together calls do with 0 to n-1, as many at once as there are processors, and
// returns when all calls have.
func Together(n int, do func(i int)) {
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			do(i)
		})
	}
	wg.Wait()
}
