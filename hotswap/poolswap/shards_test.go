package poolswap

import (
	"runtime"
	"testing"
)

type shardless struct{ Ref }

func TestAPoolHasEightShardsForEachProcessor(t *testing.T) {
	for procs, want := range map[int]int{1: 8, 3: 32, 100: 512} {
		before := runtime.GOMAXPROCS(procs)
		p := NewPool(func() *shardless { return new(shardless) }, nil)
		runtime.GOMAXPROCS(before)
		if got := p.table.Shards(); got != want {
			t.Errorf("%d shards for %d processors, want %d", got, procs, want)
		}
	}
}
