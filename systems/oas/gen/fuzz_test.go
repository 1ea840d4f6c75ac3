package gen_test

import (
	"bytes"
	"go/format"
	"os"
	"path/filepath"
	"testing"

	"github.com/poolproof/poolproof/systems/oas"
	"github.com/poolproof/poolproof/systems/oas/gen"
)

// FuzzGenerate looks for documents for which the code is not Go, or not as gofmt
// writes it.
func FuzzGenerate(f *testing.F) {
	files, err := filepath.Glob("../testdata/strangers/*")
	if err != nil || len(files) == 0 {
		f.Fatalf("%d files, error %v", len(files), err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(source)
	}
	f.Add([]byte(serviceDocument))
	f.Add([]byte(schemas(`"A":{"oneOf":[{"type":"string"},{"$ref":"#/components/schemas/A"}]},"B":{"allOf":[{"$ref":"#/components/schemas/B"},{"$ref":"#/components/schemas/A"}]}`)))
	f.Fuzz(func(t *testing.T, source []byte) {
		if len(source) > 20_000 {
			return
		}
		d, err := oas.Parse(source)
		if err != nil {
			return
		}
		made, err := gen.Generate(d, gen.Options{Note: func(gen.Note) {}})
		if err != nil {
			return
		}
		for name, text := range made {
			formatted, err := format.Source(text)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if !bytes.Equal(formatted, text) {
				t.Fatalf("%s is not formatted: %s", name, firstDifference(text, formatted))
			}
		}
	})
}
