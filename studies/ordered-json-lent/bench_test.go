package orderedjsonlent

import "testing"

var forms = []struct {
	name string
	run  func() int
}{{"fresh", Fresh}, {"pool", Pool}, {"zero", Zero}}

// BenchmarkLent gets a buffer, lends it, and gives it up.
func BenchmarkLent(b *testing.B) {
	for _, f := range forms {
		b.Run("buffer="+f.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if n := f.run(); n != len(payload) {
					b.Fatalf("%d bytes, want %d", n, len(payload))
				}
			}
		})
	}
}
