package bufferclasses

import (
	"fmt"
	"runtime"
	"testing"
)

// state outlives a call of its benchmark: the function is called for each of many
// short measurements, and a pool must be warm then.
type state struct {
	arms  []Arm
	sizes []int
	want  uint64
}

var states = map[string]*state{}

func stateOf(b *testing.B, build func(sizes []int) *state) *state {
	s := states[b.Name()]
	if s == nil {
		sizes, err := Sizes()
		if err != nil {
			b.Fatal(err)
		}
		s = build(sizes)
		s.want = sumOf(s.sizes)
		states[b.Name()] = s
	}
	return s
}

func (s *state) counts() (c Counts) {
	for _, a := range s.arms {
		n := a.Counts()
		c.Held += n.Held
		c.Needed += n.Needed
		c.Made += n.Made
	}
	return c
}

// BenchmarkFlow is 1,024 uses of real sizes, one after the other.
func BenchmarkFlow(b *testing.B) {
	for _, w := range ways {
		for _, flight := range []int{16, 1} {
			for _, arm := range arms {
				b.Run(fmt.Sprintf("size=%s/flight=%d/memory=%s", w.name, flight, arm.name), func(b *testing.B) {
					s := stateOf(b, func(sizes []int) *state {
						s := &state{arms: []Arm{arm.create(flight)}, sizes: sizes}
						for range 4 { // fills the pool, and lets it learn
							round(s.arms[0], w, sizes)
						}
						return s
					})
					before := s.counts()
					b.ReportAllocs()
					n := 0
					for b.Loop() {
						if sum := round(s.arms[0], w, s.sizes); sum != s.want {
							b.Fatalf("sum of what was read is %d, want %d", sum, s.want)
						}
						n++
					}
					c := s.counts().Sub(before)
					b.ReportMetric(float64(c.Held)/float64(c.Needed), "held-B/needed-B")
					b.ReportMetric(float64(c.Made)/float64(n), "made/op")
				})
			}
		}
	}
}

// BenchmarkRare is a use in each of 64 places, such as connections, that each have
// a pool of their own and use it less often than the collector runs: three
// collections, while the clock stands, come between.
func BenchmarkRare(b *testing.B) {
	for _, arm := range arms {
		b.Run("memory="+arm.name, func(b *testing.B) {
			s := stateOf(b, func(sizes []int) *state {
				s := &state{sizes: sizes[:usesRare]}
				for range usesRare {
					s.arms = append(s.arms, arm.create(1))
				}
				rare(s.arms, s.sizes)
				return s
			})
			before := s.counts()
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				b.StopTimer()
				for range collected {
					runtime.GC()
				}
				b.StartTimer()
				if sum := rare(s.arms, s.sizes); sum != s.want {
					b.Fatalf("sum of what was read is %d, want %d", sum, s.want)
				}
				n++
			}
			b.ReportMetric(float64(s.counts().Sub(before).Made)/float64(n), "made/op")
		})
	}
}
