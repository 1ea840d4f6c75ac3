package whole

import "testing"

// The candidate saves an object of 16 bytes an operation, and does the same work
// in the same or in another copy of a loop: the time is the same, but for what
// one small object costs, which is far within the band. The last pair is the
// counterpart: it saves the object and takes a tenth more time.
var memory = []pair{
	{"interpret", withObject(interpret0), without(interpret11)},
	{"interpret-order", withObject(interpret7), without(reversed)},
	{"stack", withObject(stack13), without(stack0)},
	{"scan", withObject(scan0), without(scan6)},
	{"spin", withObject(spun(4000)), without(spun(4000))},
	{"spin-dearer", withObject(spun(4000)), without(spun(4400))},
}

func BenchmarkMemory(b *testing.B) { run(b, memory) }

type point struct{ x, y uint64 }

var latest *point

// times is how often an operation runs its kernel, so that an object costs little
// beside it.
const times = 4

func withObject(f func([]byte, uint64) uint64) func(b *testing.B) {
	return func(b *testing.B) {
		acc := sink
		for b.Loop() {
			for range times {
				acc = f(code, acc)
			}
			latest = &point{acc, 1}
		}
		sink = acc
	}
}

func without(f func([]byte, uint64) uint64) func(b *testing.B) {
	own := new(point)
	return func(b *testing.B) {
		acc := sink
		for b.Loop() {
			for range times {
				acc = f(code, acc)
			}
			*own = point{acc, 1}
		}
		sink = acc
	}
}

func spun(steps int) func([]byte, uint64) uint64 {
	return func(_ []byte, acc uint64) uint64 { return Spin(steps/times, acc) }
}
