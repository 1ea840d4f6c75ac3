package oas_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/poolproof/poolproof/systems/oas"
	"github.com/poolproof/poolproof/systems/oas/check"
	"github.com/poolproof/poolproof/systems/oas/internal/corpus"
)

// sampled is the fixed sample of the corpus that tests read: one document of 13,
// which are 203. With OAS_CORPUS=all they read all 2,639.
func sampled(t *testing.T) func(number int) bool {
	if os.Getenv("OAS_CORPUS") == "all" {
		return func(int) bool { return true }
	}
	if testing.Short() {
		t.Skip("SKIPPED: real documents, in short mode")
	}
	return func(number int) bool { return number%13 == 0 }
}

func TestRealDocumentsAreStable(t *testing.T) {
	want := sampled(t)
	file, err := corpus.File()
	if err != nil {
		t.Skipf("SKIPPED: no real documents: %v", err)
	}
	var reused oas.Doc
	var indented, buffer []byte
	documents, size, problems, clean := 0, 0, 0, 0
	err = corpus.Each(file, want, func(name string, source []byte) error {
		documents++
		size += len(source)
		d, err := oas.Parse(source)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return nil
		}
		want := compact(t, source)
		if buffer = d.AppendJSON(buffer[:0]); !bytes.Equal(buffer, want) || d.Size() != len(want) {
			t.Errorf("%s: compact JSON is not that of encoding/json, or Size %d is not %d", name, d.Size(), len(want))
		}
		indented = d.AppendIndent(indented[:0], "", "  ")
		if err := reused.Reset(indented); err != nil || !bytes.Equal(reused.AppendJSON(buffer[:0]), want) {
			t.Errorf("%s: indented and read again it is another document; error %v", name, err)
		}
		if found := check.Document(d); len(found) == 0 {
			clean++
		} else {
			problems += len(found)
		}
		visited := 0
		d.Walk(func(c *oas.Cursor) oas.Action {
			if visited++; visited%97 == 0 {
				if n, err := d.At(c.Pointer()); err != nil || n != c.Node() {
					t.Errorf("%s: At(%q) is another node; error %v", name, c.Pointer(), err)
				}
			}
			return oas.Continue
		})
		if len(source) < 1<<20 {
			y, err := oas.ParseYAML(d.AppendYAML(nil))
			if err != nil {
				t.Errorf("%s in YAML: %v", name, err)
			} else if !sameValues(d.Root(), y.Root()) {
				t.Errorf("%s in YAML is another document", name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if documents < 200 || os.Getenv("OAS_CORPUS") == "all" && documents != corpus.Documents {
		t.Errorf("%d documents", documents)
	}
	t.Logf("%d documents of %d bytes are stable; package check has nothing to say of %d, and %d problems in the others", documents, size, clean, problems)
}

// sameValues compares values, and the order of keys, but not how strings are
// written.
func sameValues(a, b oas.Node) bool {
	if a.Kind() != b.Kind() || a.Len() != b.Len() || a.Key() != b.Key() {
		return false
	}
	switch a.Kind() {
	case oas.String:
		return a.Str() == b.Str()
	case oas.Array, oas.Object:
		rest := make([]oas.Node, 0, b.Len())
		for n := range b.All() {
			rest = append(rest, n)
		}
		i := 0
		for n := range a.All() {
			if !sameValues(n, rest[i]) {
				return false
			}
			i++
		}
		return true
	}
	return bytes.Equal(a.Raw(), b.Raw())
}
