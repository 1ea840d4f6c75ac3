package oas

import (
	"os"
	"testing"
)

// BenchmarkWalk compares the pooled cursor with a new one for each walk. The
// value again is the baseline under another name: what it differs by is noise.
func BenchmarkWalk(b *testing.B) {
	pets, err := os.ReadFile("testdata/pets.yaml")
	if err != nil {
		b.Fatal(err)
	}
	for _, doc := range []struct{ name, source string }{{"tiny", `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/a":{"get":{"x-a":[]}}}}`}, {"pets", string(pets)}} {
		d, err := Parse([]byte(doc.source))
		if err != nil {
			b.Fatal(err)
		}
		var pointer []byte
		nodes := 0
		visit := func(c *Cursor) Action {
			pointer = c.AppendPointer(pointer[:0])
			nodes++
			return Continue
		}
		fresh := func() {
			c := new(Cursor)
			c.begin(d)
			c.walk(visit)
		}
		for _, arm := range []struct {
			name string
			walk func()
		}{{"new", fresh}, {"again", fresh}, {"pooled", func() { d.Walk(visit) }}} {
			b.Run("doc="+doc.name+"/cursor="+arm.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					nodes = 0
					if arm.walk(); nodes != len(d.nodes)-1 {
						b.Fatalf("%d nodes of %d", nodes, len(d.nodes)-1)
					}
				}
			})
		}
	}
}

// BenchmarkParse compares a document that is Reset with a new one.
func BenchmarkParse(b *testing.B) {
	pets, err := os.ReadFile("testdata/pets.yaml")
	if err != nil {
		b.Fatal(err)
	}
	d, err := Parse(pets)
	if err != nil {
		b.Fatal(err)
	}
	for _, doc := range []struct {
		name   string
		source []byte
	}{{"tiny", []byte(`{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{}}`)}, {"pets", d.AppendIndent(nil, "", "  ")}} {
		var kept Doc
		fresh := func() error { _, err := Parse(doc.source); return err }
		for _, arm := range []struct {
			name  string
			parse func() error
		}{{"new", fresh}, {"again", fresh}, {"reset", func() error { return kept.Reset(doc.source) }}} {
			b.Run("doc="+doc.name+"/memory="+arm.name, func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(len(doc.source)))
				for b.Loop() {
					if err := arm.parse(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
