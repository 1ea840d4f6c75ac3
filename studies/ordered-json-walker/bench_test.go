package orderedjsonwalker

import "testing"

// BenchmarkWalk visits all parts of a document that was read before.
func BenchmarkWalk(b *testing.B) {
	for _, doc := range documents {
		b.Run("doc="+doc.name, func(b *testing.B) {
			for _, arm := range arms {
				b.Run("context="+arm.name, func(b *testing.B) {
					d := doc.get()
					var want tally
					arm.walk(d, &want)
					b.ReportAllocs()
					for b.Loop() {
						var got tally
						if arm.walk(d, &got); got != want {
							b.Fatalf("%+v, want %+v", got, want)
						}
					}
				})
			}
		})
	}
}
