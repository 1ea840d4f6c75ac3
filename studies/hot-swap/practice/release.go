package practice

import (
	"testing"
	"time"

	hotswap "github.com/poolproof/poolproof/studies/hot-swap"
)

// Release measures how long the last reader of a replaced Table of 100,000 entries takes
// to leave. The clock stands while the Table is replaced. Where the collector
// takes the Table the time is that of a call that does nothing.
//
// To stop and start the benchmark's clock takes microseconds, which is more than
// there is to be measured in some arms; release-ns is the same by a clock that is
// only read.
func Release(b *testing.B, arms []Arm) {
	for _, arm := range arms {
		if arm.Blocks {
			continue
		}
		b.Run("impl="+arm.Name, func(b *testing.B) {
			r := newLeave(containerOf(arm), data())
			var start, spent time.Duration
			r.begin = func() {
				b.StartTimer()
				start = time.Since(epoch)
			}
			b.ReportAllocs()
			b.StopTimer()
			for range b.N {
				r.container.Read(r.stay)
				spent += time.Since(epoch) - start
				b.StopTimer()
			}
			b.ReportMetric(float64(spent)/float64(b.N), "release-ns")
		})
	}
}

// leave is a reader who stays until the Table that it reads was replaced.
type leave struct {
	container hotswap.Container
	next      func() func(*hotswap.Table)
	stay      func(*hotswap.Table)
	begin     func() // called when the reader is about to leave
}

func newLeave(c hotswap.Container, d *hotswap.Data) *leave {
	r := &leave{container: c, next: fills(d), begin: func() {}}
	r.stay = func(*hotswap.Table) {
		r.container.Replace(r.next())
		r.begin()
	}
	return r
}
