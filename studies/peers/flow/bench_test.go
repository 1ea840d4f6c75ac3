//go:build unix

package flowpeers

import (
	"context"
	"syscall"
	"testing"
)

// cpu returns the processor time that the process has taken, in nanoseconds: user and
// system, all goroutines and the garbage collector.
func cpu(b *testing.B) int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

// BenchmarkPipeline reports the processor time for an item of the 100,000. With
// -count=9 the peers take turns.
func BenchmarkPipeline(b *testing.B) {
	for _, p := range Peers {
		b.Run("way="+p.Name, func(b *testing.B) {
			ctx, cancel := context.WithCancel(b.Context())
			defer cancel()
			b.ReportAllocs()
			before := cpu(b)
			for b.Loop() {
				if _, err := p.Run(ctx); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(cpu(b)-before)/float64(b.N)/Items, "cpu-ns/item")
		})
	}
}
