package oaspeers

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	orderedjson "github.com/poolproof/poolproof/studies/ordered-json"
	walker "github.com/poolproof/poolproof/studies/ordered-json-walker"
	"github.com/poolproof/poolproof/systems/oas"
)

// sources are documents of the study ordered-json, as JSON with indents. With
// OAS_DOCUMENT=FILE there is one more.
func sources(t testing.TB) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for name, shape := range map[string]orderedjson.Shape{"small": orderedjson.Small, "medium": orderedjson.Medium, "large": orderedjson.Large} {
		source, err := shape.Source()
		if err != nil {
			t.Fatal(err)
		}
		d, err := oas.Parse(source)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = d.AppendIndent(nil, "", "  ")
	}
	if file := os.Getenv("OAS_DOCUMENT"); file != "" {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all["file"] = source
	}
	return all
}

var names = []string{"small", "medium", "large", "file"}

// The arms are held to what they say they keep.
func TestArmsKeepWhatTheySay(t *testing.T) {
	const order = `{"openapi":"3.0.3","paths":{},"info":{"version":"1","title":"T"}}`
	const exact = `{"openapi":"3.0.3","info":{"title":"\u003ca\u003e","version":"1","x-a":1.0},"paths":{}}`
	for _, arm := range Arms {
		for _, c := range []struct {
			source string
			want   bool
		}{{order, arm.Ordered}, {exact, arm.Exact}} {
			d, err := arm.Read([]byte(c.source))
			if err != nil {
				t.Fatalf("%s: %v", arm.Name, err)
			}
			out, err := arm.Write(d)
			if err != nil {
				t.Fatalf("%s: %v", arm.Name, err)
			}
			var compact bytes.Buffer
			if err := json.Compact(&compact, out); err != nil {
				t.Fatalf("%s wrote %s: %v", arm.Name, out, err)
			}
			if got := compact.String() == c.source; c.want && !got {
				t.Errorf("%s wrote %s for %s", arm.Name, compact.String(), c.source)
			}
		}
	}
}

func BenchmarkMarshal(b *testing.B) {
	each(b, func(b *testing.B, arm Arm, source []byte) func() error {
		d, err := arm.Read(bytes.Clone(source))
		if err != nil {
			b.Skip(err)
		}
		return func() error { _, err := arm.Write(d); return err }
	})
}

func BenchmarkParse(b *testing.B) {
	each(b, func(b *testing.B, arm Arm, source []byte) func() error {
		return func() error { _, err := arm.Read(source); return err }
	})
}

// each runs a benchmark for each document and arm.
func each(b *testing.B, prepare func(b *testing.B, arm Arm, source []byte) func() error) {
	all := sources(b)
	for _, name := range names {
		source := all[name]
		if source == nil {
			continue
		}
		for _, arm := range Arms {
			b.Run("doc="+name+"/arm="+arm.Name, func(b *testing.B) {
				run := prepare(b, arm, source)
				if err := run(); err != nil {
					b.Skip(err)
				}
				b.ReportAllocs()
				for b.Loop() {
					if err := run(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkWalk goes through each value and asks for its pointer; the published
// walker through the parts that the specification names.
func BenchmarkWalk(b *testing.B) {
	all := sources(b)
	for _, name := range names {
		source := all[name]
		if source == nil {
			continue
		}
		published, err := orderedjson.ParseModel(source)
		if err != nil {
			b.Fatal(err)
		}
		ours, err := oas.Parse(source)
		if err != nil {
			b.Fatal(err)
		}
		size := 0
		var pointer []byte
		for _, arm := range []struct {
			name string
			walk func()
		}{
			{"published", func() {
				walker.Pool(published, walker.Every(func(c *walker.Context) { size += len(c.JSONPath) }))
			}},
			{"oas", func() {
				ours.Walk(func(c *oas.Cursor) oas.Action {
					pointer = c.AppendPointer(pointer[:0])
					size += len(pointer)
					return oas.Continue
				})
			}},
			{"oas-without", func() { ours.Walk(func(c *oas.Cursor) oas.Action { size++; return oas.Continue }) }},
		} {
			b.Run("doc="+name+"/arm="+arm.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					arm.walk()
				}
			})
		}
	}
}
