package whole

import (
	"math/rand/v2"
	"testing"
)

// Equal work in copies of one loop, so that only code layout can make the ways
// differ: no verdict may claim that.
var layout = []pair{
	{"interpret-0-4", kernel(interpret0), kernel(interpret4)},
	{"interpret-0-11", kernel(interpret0), kernel(interpret11)},
	{"interpret-7-19", kernel(interpret7), kernel(interpret19)},
	{"switch-order", kernel(interpret4), kernel(reversed)},
	{"stack-0-13", kernel(stack0), kernel(stack13)},
	{"scan-0-6", kernel(scan0), kernel(scan6)},
}

func BenchmarkLayout(b *testing.B) { run(b, layout) }

// code is a program of the interpreters.
var code = func() []byte {
	rng := rand.New(rand.NewPCG(31, 16))
	all := make([]byte, 512)
	for i := range all {
		all[i] = byte(rng.Uint32())
	}
	return all
}()

func kernel(f func(code []byte, acc uint64) uint64) func(b *testing.B) {
	return func(b *testing.B) {
		acc := sink
		for b.Loop() {
			acc = f(code, acc)
		}
		sink = acc
	}
}

func TestCopiesDoTheSame(t *testing.T) {
	for _, group := range [][]func([]byte, uint64) uint64{
		{interpret0, interpret4, interpret7, interpret11, interpret19, reversed}, {stack0, stack13}, {scan0, scan6},
	} {
		for i, f := range group[1:] {
			if want, got := group[0](code, 5), f(code, 5); got != want {
				t.Errorf("copy %d returns %d, want %d", i+1, got, want)
			}
		}
	}
}
