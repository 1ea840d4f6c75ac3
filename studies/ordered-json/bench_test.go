package orderedjson

import "testing"

// BenchmarkOrdered marshals a document that was read before.
func BenchmarkOrdered(b *testing.B) {
	for _, doc := range documents {
		b.Run("doc="+doc.name, func(b *testing.B) {
			for _, arm := range allArms {
				b.Run("buffer="+arm.name, func(b *testing.B) { marshal(b, arm, doc.get()) })
			}
		})
	}
}

// BenchmarkIndent marshals and indents the document of middle size, the only
// one for which figures were published.
func BenchmarkIndent(b *testing.B) {
	for _, arm := range indentArms {
		b.Run("buffer="+arm.name, func(b *testing.B) { marshal(b, arm, documents[1].get()) })
	}
}

func marshal(b *testing.B, arm arm, d *Document) {
	want, err := arm.marshal(d)
	if err != nil {
		b.Fatal(err)
	}
	size := len(want)
	b.ReportAllocs()
	for b.Loop() {
		out, err := arm.marshal(d)
		if err != nil || len(out) != size {
			b.Fatalf("%d bytes and error %v, want %d bytes", len(out), err, size)
		}
	}
}
