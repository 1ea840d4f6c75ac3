package hotswap

import (
	"fmt"
	"testing"

	"github.com/poolproof/poolproof/studies/internal/crew"
)

// The writes of a hundred steps, the goroutines that only read, and the
// collections between two writes that the benchmarks have.
var (
	writeShares    = []int{1, 10, 50}
	readers        = []int{1, 2, 8}
	collectionsFor = []int{0, 1, 2}
)

// BenchmarkMixed replaces a map of 100,000 entries while it is read: the
// published benchmark. An operation is one write by each of two goroutines,
// and so many reads that writes have the share in the name.
//
// b.Loop changes nothing in what is inlined: the containers are behind an
// interface, and what fills a Table behind a function value, in any case.
func BenchmarkMixed(b *testing.B) {
	for _, writes := range writeShares {
		for _, arm := range arms {
			b.Run(fmt.Sprintf("writes=%d/impl=%s", writes, arm.name), func(b *testing.B) {
				run(b, operation(b, func() *work { return mixed(arm.large(), writes) }))
			})
		}
	}
}

// BenchmarkRead reads while nobody writes. An operation is the same number of
// reads for any number of goroutines. It is a fixed number of goroutines, not
// GOMAXPROCS, that varies: the benchmark is about the memory that they share,
// and more goroutines than processors is what a server has.
func BenchmarkRead(b *testing.B) {
	for _, goroutines := range readers {
		for _, arm := range arms {
			b.Run(fmt.Sprintf("goroutines=%d/impl=%s", goroutines, arm.name), func(b *testing.B) {
				run(b, operation(b, func() *work { return readOnly(arm.large(), goroutines) }))
			})
		}
	}
}

// BenchmarkReuse counts the Tables that are made where collections run between
// two writes. Its time is that of the collections. The number is exact with
// one processor only: with more, what one has put for itself is out of reach
// for another that continues the goroutine after a collection.
func BenchmarkReuse(b *testing.B) {
	for _, collections := range collectionsFor {
		for _, arm := range arms {
			b.Run(fmt.Sprintf("gcs=%d/impl=%s", collections, arm.name), func(b *testing.B) {
				c := arm.small()
				before := c.Made()
				run(b, operation(b, func() *work { return reuse(c, collections) }))
				b.ReportMetric(float64(c.Made()-before)/float64(b.N), "made/op")
			})
		}
	}
}

// operations are those of the benchmarks that have run. A benchmark's function
// is called for each of many short measurements, and to prepare one takes
// longer than that.
var operations = map[string]*work{}

// operation returns what build returned when this benchmark ran first.
func operation(b *testing.B, build func() *work) *work {
	if operations[b.Name()] == nil {
		operations[b.Name()] = build()
	}
	return operations[b.Name()]
}

func run(b *testing.B, w *work) {
	goroutines := crew.New(w.goroutines, w.share)
	defer goroutines.Close()
	b.ReportAllocs()
	for b.Loop() {
		goroutines.Run()
		if err := w.check(); err != nil {
			b.Fatal(err)
		}
	}
}
