package orderedjsontemplates

import "testing"

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
