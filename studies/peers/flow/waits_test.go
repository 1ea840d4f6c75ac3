//go:build unix

package flowpeers

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

func TestSlowWaysKeepTheOrder(t *testing.T) {
	for _, l := range Loads {
		l.Values /= 10
		for _, s := range Slows {
			var calls atomic.Int64
			next := 0
			err := s.Run(t.Context(), l, func(int) { calls.Add(1) }, func(i int) {
				if i == next {
					next++
				}
			})
			if err != nil || next != l.Values || calls.Load() != int64(l.Values) {
				t.Errorf("%s, %s: %d of %d in order, %d calls, error %v", l.Name, s.Name, next, l.Values, calls.Load(), err)
			}
		}
	}
}

// BenchmarkSlow reports for each value of a load the processor time, and how long after
// the return of its function it was handed over: a half of the values sooner than p50, 99
// of 100 sooner than p99.
func BenchmarkSlow(b *testing.B) {
	for _, l := range Loads {
		for _, s := range Slows {
			b.Run("load="+l.Name+"/slow="+s.Name, func(b *testing.B) {
				returned, waited := make([]time.Time, l.Values), make([]float64, l.Values)
				before := cpu(b)
				for b.Loop() {
					err := s.Run(b.Context(), l, func(i int) {
						l.do(i)
						returned[i] = time.Now()
					}, func(i int) { waited[i] = float64(time.Since(returned[i]).Microseconds()) })
					if err != nil {
						b.Fatal(err)
					}
				}
				each := float64(b.N) * float64(l.Values)
				b.ReportMetric(float64(cpu(b)-before)/each, "cpu-ns/value")
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/each, "wall-ns/value")
				slices.Sort(waited)
				b.ReportMetric(waited[l.Values/2], "p50-us")
				b.ReportMetric(waited[l.Values*99/100], "p99-us")
			})
		}
	}
}
