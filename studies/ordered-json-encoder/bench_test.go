package orderedjsonencoder

import "testing"

// BenchmarkMarshalJSON calls the method, as the published benchmarks do.
func BenchmarkMarshalJSON(b *testing.B) {
	for _, v := range values {
		b.Run("value="+v.name, func(b *testing.B) {
			for _, arm := range v.arms {
				b.Run("buffer="+arm.name, func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						out, err := arm.value.MarshalJSON()
						if err != nil || len(out) != len(v.want) {
							b.Fatalf("%d bytes and error %v, want %d bytes", len(out), err, len(v.want))
						}
					}
				})
			}
		})
	}
}
