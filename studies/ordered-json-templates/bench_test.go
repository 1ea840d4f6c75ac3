package orderedjsontemplates

import (
	"bytes"
	"testing"

	"github.com/poolproof/poolproof/pool"
)

// BenchmarkGenerate makes a file, from the template to the formatted source.
func BenchmarkGenerate(b *testing.B) { bench(b, Formatted) }

// BenchmarkTemplate only executes the template and reads what it wrote.
func BenchmarkTemplate(b *testing.B) { bench(b, hashed) }

func bench(b *testing.B, finish Finish) {
	for _, p := range parts {
		b.Run("part="+p.name, func(b *testing.B) {
			for _, arm := range arms {
				b.Run("buffer="+arm.name, func(b *testing.B) {
					m := model()
					want, err := arm.generate(p.part, m, finish)
					if err != nil {
						b.Fatal(err)
					}
					size := len(want)
					b.ReportAllocs()
					for b.Loop() {
						out, err := arm.generate(p.part, m, finish)
						if err != nil || len(out) != size {
							b.Fatalf("%d bytes and error %v, want %d bytes", len(out), err, size)
						}
					}
				})
			}
		})
	}
}

// BenchmarkOversized generates a client of few operations with long descriptions,
// and reports how many bytes the buffer that the next document of few operations
// gets has above the size of the small tier.
func BenchmarkOversized(b *testing.B) {
	long, few := read(wordy), 3
	for _, arm := range []struct {
		name     string
		generate func(Part, *Model, Finish) ([]byte, error)
		next     func() int
	}{
		{"new", New, func() int { return 0 }},
		{"tiers", Tiers, func() int { return capacity(tier(few)) }},
		{"pool", Pool, func() int { return capacity(buffers) }},
	} {
		b.Run("buffer="+arm.name, func(b *testing.B) {
			b.ReportAllocs()
			above := 0
			for b.Loop() {
				if _, err := arm.generate(Client, long, hashed); err != nil {
					b.Fatal(err)
				}
				above += max(0, arm.next()-smallSize)
			}
			b.ReportMetric(float64(above)/float64(b.N), "oversized-B")
		})
	}
}

// capacity is that of the buffer that a pool gives next.
func capacity(of *pool.Pool[bytes.Buffer]) int {
	b := of.Get()
	defer of.Put(b)
	return b.Cap()
}
