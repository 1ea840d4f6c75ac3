package flatmappublished

import "testing"

var forms = []struct {
	name string
	form Form
}{
	{"make", Make}, {"pool", Pool}, {"direct", Direct}, {"iter", Iter},
}

const sum = Inputs * fan * (Inputs*fan - 1) / 2 // of 0, 1, 2, ...

// BenchmarkRealistic carries the name that was published. b.Loop changes
// nothing in what is inlined: an operation is behind a function value in any
// case.
func BenchmarkRealistic(b *testing.B) {
	for _, f := range forms {
		b.Run("slices="+f.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if got := Run(f.form); got != sum {
					b.Fatalf("sum %d, want %d", got, sum)
				}
			}
		})
	}
}
