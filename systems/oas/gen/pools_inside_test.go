package gen

import (
	"go/format"
	"os"
	"testing"

	"github.com/poolproof/poolproof/systems/oas"
)

// BenchmarkGenerate compares the pooled state of the generator with a new one
// for the types of a document, alone and with go/format behind it, which the generator does not need. The
// value again is the baseline under another name.
func BenchmarkGenerate(b *testing.B) {
	source, err := os.ReadFile("../testdata/pets.yaml")
	if err != nil {
		b.Fatal(err)
	}
	d, err := oas.Parse(source)
	if err != nil {
		b.Fatal(err)
	}
	var out []byte
	write := func(g *generator) {
		g.name = "pets"
		if err := g.model.read(d, nil); err != nil {
			b.Fatal(err)
		}
		own := g.out
		g.out = out[:0]
		g.types()
		out, g.out = g.out, own
	}
	fresh := func() {
		write(newGenerator())
	}
	pooled := func() {
		g := generators.Get()
		defer generators.Put(g)
		write(g)
	}
	for _, then := range []string{"nothing", "format"} {
		for _, arm := range []struct {
			name     string
			generate func()
		}{{"new", fresh}, {"again", fresh}, {"pooled", pooled}} {
			b.Run("then="+then+"/state="+arm.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					arm.generate()
					if then == "format" {
						if _, err := format.Source(out); err != nil {
							b.Fatal(err)
						}
					}
				}
			})
		}
	}
}
