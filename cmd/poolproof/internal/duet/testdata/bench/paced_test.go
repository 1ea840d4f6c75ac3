package bench

import (
	"testing"
	"time"
)

// BenchmarkPaced sleeps for 60 ms in its third operation, and reports when its
// operations started.
func BenchmarkPaced(b *testing.B) {
	var starts []time.Time
	for b.Loop() {
		starts = append(starts, time.Now())
		if len(starts) == 3 {
			time.Sleep(60 * time.Millisecond)
		}
	}
	b.ReportMetric(float64(len(starts)), "done")
	for i, s := range starts {
		b.ReportMetric(s.Sub(starts[0]).Seconds(), "start"+string(rune('a'+i)))
	}
}

// BenchmarkPacedStopped asks for an operation while the timer is stopped.
func BenchmarkPacedStopped(b *testing.B) {
	for i := 0; b.Loop(); i++ {
		if i == 2 {
			b.StopTimer()
		}
	}
}

var held [][]byte

// BenchmarkPacedHeld holds 4 MiB while it runs: a collection behind the window
// has to find them.
func BenchmarkPacedHeld(b *testing.B) {
	held = nil
	for range 64 {
		held = append(held, make([]byte, 64<<10))
	}
	for b.Loop() {
		sink = make([]byte, 1024)
	}
	held = nil
}
