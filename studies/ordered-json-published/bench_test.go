package orderedjsonpublished

import "testing"

var forms = []struct {
	name string
	run  func() int
}{{"fresh", Fresh}, {"pool", Pool}, {"zero", Zero}}

// BenchmarkLocal is the published benchmark. That the body of its loop is a
// function here, behind a function value, changes nothing since Go 1.26: what
// the function makes stays in its frame.
func BenchmarkLocal(b *testing.B) {
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
