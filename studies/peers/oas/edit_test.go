package oaspeers

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	orderedjson "github.com/poolproof/poolproof/studies/ordered-json"
	"github.com/poolproof/poolproof/systems/oas"
)

// written by hand in YAML and JSON, with what a writer may lose.
const (
	byHandYAML = "# an example\nopenapi: 3.0.3\npaths: {}\ninfo:\n    version: '1' # of the interface\n    title: Before\n    x-a: >-\n        folded\n        text\n"
	byHandJSON = "{ \"openapi\": \"3.0.3\",\n  \"paths\": {}, \"info\": {\n      \"version\": \"1\", \"title\": \"Before\", \"x-a\": \"\\u003cfolded\\u003e\" } }\n"
)

// The edits are held to what they say they keep.
func TestEditsKeepWhatTheySay(t *testing.T) {
	for _, e := range Edits {
		for language, c := range map[string]struct {
			source string
			keeps  Kept
		}{"YAML": {byHandYAML, e.YAML}, "JSON": {byHandJSON, e.JSON}} {
			out, err := e.Do([]byte(c.source), language == "YAML")
			if err != nil {
				t.Errorf("%s, %s: %v", e.Name, language, err)
				continue
			}
			if got := whatIsKept(t, e.Name, c.source, string(out)); got != c.keeps {
				t.Errorf("%s keeps %d of a document in %s, not %d: %s", e.Name, got, language, c.keeps, out)
			}
		}
	}
	for _, shape := range []orderedjson.Shape{orderedjson.Small, orderedjson.Medium, orderedjson.Large} {
		inYAML, inJSON := both(t, shape)
		for _, e := range Edits {
			for _, source := range [][]byte{inYAML, inJSON} {
				out, err := e.Do(source, source[0] != '{')
				if err != nil {
					t.Errorf("%s: %v", e.Name, err)
					continue
				}
				whatIsKept(t, e.Name, string(source), string(out))
			}
		}
	}
}

// whatIsKept returns what is as it was in a document whose title was changed.
func whatIsKept(t *testing.T, name, source, out string) Kept {
	t.Helper()
	before, err := oas.Parse([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	after, err := oas.Parse([]byte(out))
	if err != nil {
		t.Fatalf("%s wrote %.500s: %v", name, out, err)
	}
	old := before.Root().Get("info").Get("title").Str()
	if !after.Root().Get("info").Get("title").Is(Title) || strings.HasPrefix(strings.TrimSpace(source), "{") != strings.HasPrefix(strings.TrimSpace(out), "{") {
		t.Errorf("%s wrote %.500s", name, out)
	}
	if strings.Replace(source, old, Title, 1) == out {
		return Text
	}
	if _, err := before.Root().Get("info").Set("title", Title); err != nil {
		t.Fatal(err)
	}
	a, b := before.JSON(), after.JSON()
	if !reflect.DeepEqual(withoutEmpty(t, a), withoutEmpty(t, b)) {
		t.Errorf("%s wrote another document: %.500s", name, out)
	}
	if slices.Equal(pointers(before), pointers(after)) {
		return Order
	}
	return Values
}

// pointers returns those of all values, in the order of the document.
func pointers(d *oas.Doc) (all []string) {
	d.Walk(func(c *oas.Cursor) oas.Action {
		all = append(all, c.Pointer())
		return oas.Continue
	})
	return all
}

// withoutEmpty is a document without members that are empty, which models do not write.
func withoutEmpty(t *testing.T, text []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	var drop func(v any) any
	drop = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			for k, e := range v {
				if e = drop(e); e == nil || e == false || reflect.DeepEqual(e, map[string]any{}) || reflect.DeepEqual(e, []any{}) {
					delete(v, k)
				}
			}
		case []any:
			for i := range v {
				v[i] = drop(v[i])
			}
		}
		return v
	}
	return drop(v)
}

func both(t testing.TB, shape orderedjson.Shape) (inYAML, inJSON []byte) {
	t.Helper()
	inYAML, err := shape.Source()
	if err != nil {
		t.Fatal(err)
	}
	d, err := oas.Parse(inYAML)
	if err != nil {
		t.Fatal(err)
	}
	return inYAML, d.AppendIndent(nil, "", "  ")
}

// BenchmarkEdit reads a document, changes its title, and writes it.
func BenchmarkEdit(b *testing.B) {
	for _, doc := range []struct {
		name  string
		shape orderedjson.Shape
	}{{"medium", orderedjson.Medium}, {"large", orderedjson.Large}} {
		inYAML, inJSON := both(b, doc.shape)
		for language, source := range map[string][]byte{"yaml": inYAML, "json": inJSON} {
			for _, e := range Edits {
				b.Run("doc="+doc.name+"/in="+language+"/arm="+e.Name, func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						if _, err := e.Do(source, language == "yaml"); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}
