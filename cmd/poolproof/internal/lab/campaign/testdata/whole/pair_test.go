package whole

import "testing"

// pair is two ways of one job, each a whole benchmark.
type pair struct {
	name     string
	old, new func(b *testing.B)
}

func run(b *testing.B, pairs []pair) {
	for _, p := range pairs {
		b.Run("pair="+p.name, func(b *testing.B) {
			b.Run("way=old", p.old)
			b.Run("way=new", p.new)
		})
	}
}

// sink keeps the compiler from leaving work out.
var sink uint64

// loop is a benchmark of an operation that keeps its state from burst to burst.
func loop(op func(x uint64) uint64) func(b *testing.B) {
	return func(b *testing.B) {
		x := sink
		for b.Loop() {
			x = op(x)
		}
		sink = x
	}
}

// steady is an operation that always costs the same.
func steady(steps int) func(uint64) uint64 {
	return func(x uint64) uint64 { return Spin(steps, x) }
}
