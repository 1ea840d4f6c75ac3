package hotswap

import (
	"runtime"
	"testing"
)

func TestAPoolHasTheShardsThatItsOptionsSay(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	for shards, want := range map[int]int{0: 32, 1: 1, 5: 8, 512: 512, 10_000: 512} {
		p := NewPool(Options[int]{New: func() *int { return new(int) }, Shards: shards})
		if got := p.table.Shards(); got != want {
			t.Errorf("Shards: %d: the pool has %d, want %d", shards, got, want)
		}
	}
}
