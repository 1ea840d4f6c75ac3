package whole

import (
	"slices"
	"testing"
)

// Benchmarks that are not what a benchmark should be: their cost changes while
// they run, or with b.N. The right answer is that of long runs, or none.
var input = []pair{
	// Both ways get slower with each operation of the process, alike.
	{"grows-alike", loop(growing(1000, 200)), loop(growing(1000, 200))},
	// Only the candidate does.
	{"grows", loop(steady(1000)), loop(growing(1000, 200))},
	// The candidate begins at twice the cost, and is a tenth cheaper later.
	{"warms-up", loop(steady(1000)), loop(warming(2000, 900, 50_000))},
	// The sweeps are counted from the start of each call of the benchmark.
	{"count-in-call", loop(steady(1000)), counted(1000, 1e4, 0.5)},
	// A fixed cost in each call of the benchmark, which a long run does not see.
	{"fixed-in-call", prepared(0, 1000), prepared(200_000, 1000)},
	// The cost of an operation is that of b.N others: it turns with b.N.
	{"search-in-call", searched, hashedKeys(400)},
	{"sort-in-call", sorted(true), sorted(false)},
}

func BenchmarkInput(b *testing.B) { run(b, input) }

// growing costs one step more after every each operations.
func growing(steps, each int) func(uint64) uint64 {
	n := 0
	return func(x uint64) uint64 {
		n++
		return Spin(steps+n/each, x)
	}
}

// warming costs cold steps for the first operations of the process.
func warming(cold, warm, operations int) func(uint64) uint64 {
	n := 0
	return func(x uint64) uint64 {
		if n < operations {
			n++
			return Spin(cold, x)
		}
		return Spin(warm, x)
	}
}

// counted sweeps as byCount does, with a count of each call.
func counted(steps, each int, share float64) func(b *testing.B) {
	return func(b *testing.B) { loop(byCount(steps, each, share))(b) }
}

// prepared pays a fixed cost inside of the timer's window.
func prepared(once, steps int) func(b *testing.B) {
	return func(b *testing.B) {
		x := Spin(once, sink)
		for range b.N {
			x = Spin(steps, x)
		}
		sink = x
	}
}

var found []uint64

// searched looks for each new key in all earlier ones.
func searched(b *testing.B) {
	found = found[:0]
	x := uint64(1)
	for range b.N {
		x = Spin(20, x)
		if slices.Index(found, x) < 0 {
			found = append(found, x)
		}
	}
}

// hashedKeys does the same at a fixed cost.
func hashedKeys(steps int) func(b *testing.B) {
	return func(b *testing.B) {
		x := uint64(1)
		for range b.N {
			x = Spin(20+steps, x)
		}
		sink += x
	}
}

var items [1 << 24]uint32

// sorted sorts b.N items by comparisons, or by their digits.
func sorted(compare bool) func(b *testing.B) {
	return func(b *testing.B) {
		n := min(b.N, len(items)/2)
		for done := 0; done < b.N; done += n {
			own, other := items[:n], items[len(items)/2:][:n]
			x := uint32(1)
			for i := range own {
				x = x*1664525 + 1013904223
				own[i] = x
			}
			if compare {
				slices.Sort(own)
			} else {
				byDigits(own, other)
			}
		}
	}
}

func byDigits(from, to []uint32) {
	for shift := 0; shift < 32; shift += 8 {
		var at [257]int
		for _, v := range from {
			at[v>>shift&255+1]++
		}
		for i := 1; i < len(at); i++ {
			at[i] += at[i-1]
		}
		for _, v := range from {
			to[at[v>>shift&255]] = v
			at[v>>shift&255]++
		}
		from, to = to, from
	}
}

func TestByDigitsSorts(t *testing.T) {
	own, other := []uint32{5, 1 << 31, 70000, 2, 1 << 31, 256}, make([]uint32, 6)
	want := slices.Sorted(slices.Values(own))
	if byDigits(own, other); !slices.Equal(own, want) {
		t.Errorf("got %v, want %v", own, want)
	}
}
