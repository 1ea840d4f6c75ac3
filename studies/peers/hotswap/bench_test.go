package hotswappeers

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/poolproof/poolproof/studies/hot-swap/practice"
	"github.com/poolproof/poolproof/studies/internal/crew"
)

// The peers are the last part of each name, so that poolproof try -vary impl
// compares them. Ratios are its business: two numbers that go test -bench prints
// one after the other are not a comparison.

// benched holds the data of benchmarks that have run. A benchmark's function
// is called for each of many short measurements.
var benched = map[string]any{}

// team is some goroutines that share a value. Each reads and writes in a fixed
// order that goes on from one measurement to the next, so that the mix is exact
// however short a measurement is.
type team[V Words] struct {
	members []*member[V]
	total   int // uses of the operation, of all members
	crew    *crew.Crew
}

type member[V Words] struct {
	use   Goroutine[V]
	reads int // between two writes; negative: no writes
	left  int // reads until the next write
	sum   uint64
	_     [64]byte
}

// newTeam returns goroutines that write once in every so many uses, 0 for never. They write at different times.
func newTeam[V Words](share Share[V], goroutines, every int) *team[V] {
	t := &team[V]{}
	for i := range goroutines {
		t.members = append(t.members, &member[V]{use: share.Goroutine(), reads: every - 1, left: (every - 1) * (i + 1) / goroutines})
	}
	t.crew = crew.New(goroutines, func(i int) {
		t.members[i].run(t.total*(i+1)/goroutines - t.total*i/goroutines)
	})
	return t
}

func (t *team[V]) run(total int) {
	t.total = total
	t.crew.Run()
}

// run is n uses.
func (m *member[V]) run(n int) {
	if m.reads < 0 {
		m.sum += m.use.Reads(n)
		return
	}
	for n > 0 {
		k := min(n, m.left)
		m.sum += m.use.Reads(k)
		m.left -= k
		if n -= k; n > 0 {
			m.use.Write(m.sum)
			n--
			m.left = m.reads
		}
	}
}

var sink atomic.Uint64

// operations does so many reads or writes by a team in each of b.N operations.
// They are many, so that the time until all goroutines have been woken is small
// beside them.
func operations[V Words](b *testing.B, create func() Share[V], goroutines, every, many int) {
	if benched[b.Name()] == nil {
		benched[b.Name()] = newTeam(create(), goroutines, every)
	}
	t := benched[b.Name()].(*team[V])
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		t.run(many)
	}
	b.StopTimer()
	b.ReportMetric(float64(b.Elapsed())/float64(b.N*many), "ns/use")
	for _, m := range t.members {
		sink.Add(m.sum)
	}
}

// BenchmarkRead reads a value that nobody writes. An operation is 524,288 reads,
// shared evenly by the goroutines. How many these are is fixed, and not
// GOMAXPROCS: the benchmark is about the memory that they share, and more of them
// than processors is what a server has.
func BenchmarkRead(b *testing.B) {
	for _, goroutines := range []int{1, 2, 4, 8, 16} {
		for _, p := range Peers {
			b.Run(fmt.Sprintf("goroutines=%d/impl=%s", goroutines, p.Name), func(b *testing.B) {
				operations(b, p.KiB, goroutines, 0, 1<<19)
			})
		}
	}
}

// BenchmarkMixed writes the whole value so many times in 1000 uses, and reads
// a word of it in the others. An operation is 524,288 uses, of 64 KiB 32,768.
func BenchmarkMixed(b *testing.B) {
	for _, permille := range []int{1, 10, 100} {
		for _, goroutines := range []int{2, 8} {
			for _, p := range Peers {
				name := func(size string) string {
					return fmt.Sprintf("size=%s/permille=%d/goroutines=%d/impl=%s", size, permille, goroutines, p.Name)
				}
				b.Run(name("64B"), func(b *testing.B) { operations(b, p.B64, goroutines, 1000/permille, 1<<19) })
				b.Run(name("1KiB"), func(b *testing.B) { operations(b, p.KiB, goroutines, 1000/permille, 1<<19) })
				b.Run(name("64KiB"), func(b *testing.B) { operations(b, p.KiB64, goroutines, 1000/permille, 1<<15) })
			}
		}
	}
}

func BenchmarkReload(b *testing.B)  { practice.Reload(b, Large) }
func BenchmarkLatency(b *testing.B) { practice.Latency(b, Large) }
func BenchmarkRelease(b *testing.B) { practice.Release(b, Large) }
func BenchmarkChange(b *testing.B)  { practice.Change(b, practice.Ways) }
