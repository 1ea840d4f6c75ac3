package practice

import (
	"fmt"
	"runtime"
	"testing"

	hotswap "github.com/poolproof/poolproof/studies/hot-swap"
)

// Collections are those between two reloads that Reload has.
var Collections = []int{0, 1, 2}

// Reload replaces a Table of 100,000 entries after so many collections, in which
// the clock stands. made/op is the tables made for it.
func Reload(b *testing.B, arms []Arm) {
	for _, collections := range Collections {
		for _, arm := range arms {
			b.Run(fmt.Sprintf("gcs=%d/impl=%s", collections, arm.Name), func(b *testing.B) {
				r := newReload(containerOf(arm), data(), collections)
				before := r.container.Made()
				b.ReportAllocs()
				for range b.N {
					b.StopTimer()
					r.collect()
					b.StartTimer()
					r.replace()
				}
				b.ReportMetric(float64(r.container.Made()-before)/float64(b.N), "made/op")
			})
		}
	}
}

type reload struct {
	container   hotswap.Container
	collections int
	next        func() func(*hotswap.Table)
}

func newReload(c hotswap.Container, d *hotswap.Data, collections int) *reload {
	return &reload{c, collections, fills(d)}
}

func (r *reload) collect() {
	for range r.collections {
		runtime.GC()
	}
}

func (r *reload) replace() { r.container.Replace(r.next()) }

// Made returns how many Tables of that many entries an arm makes for a first
// fill and so many replacements, each after a number of collections. With one
// processor and no other collections it is exact.
func Made(arm Arm, entries, replacements, collections int) int {
	d := hotswap.NewData(entries)
	r := newReload(arm.New(d.Fill(0)), d, collections)
	for range replacements {
		r.collect()
		r.replace()
	}
	return r.container.Made()
}
