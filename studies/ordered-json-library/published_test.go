package orderedjsonlibrary

import (
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	orderedjson "github.com/poolproof/poolproof/studies/ordered-json"
	orderedjsonwalker "github.com/poolproof/poolproof/studies/ordered-json-walker"
	"github.com/poolproof/poolproof/systems/oas"
)

// BenchmarkAgainstPublished compares the library with the published way to do
// the same work, of the studies ordered-json and ordered-json-walker: a tree of
// YAML nodes for the order, a map for the values and structs for the walk, with
// the published buffers. The source is JSON with indents, which the published way
// reads as YAML too. The arm lean does without the structs and reads the source
// once, which is enough to write it again.
//
//	poolproof try -vary arm -bench BenchmarkAgainstPublished ./studies/ordered-json-library
func BenchmarkAgainstPublished(b *testing.B) {
	for _, doc := range documents[:3] {
		source := doc.get().AppendIndent(nil, "", "  ")
		ours, err := oas.Parse(source)
		if err != nil {
			b.Fatal(err)
		}
		published, err := orderedjson.ParseModel(source)
		if err != nil {
			b.Fatal(err)
		}
		var kept oas.Doc
		var lent, pointer []byte
		length := 0
		for _, c := range []struct {
			do, arm string
			run     func() error
		}{
			{"marshal", "published", func() error { _, err := orderedjson.Grow(published.Document()); return err }},
			{"marshal", "published-pool", func() error { _, err := orderedjson.Pool(published.Document()); return err }},
			{"marshal", "exact", func() error { ours.JSON(); return nil }},
			{"marshal", "lease", func() error { lent = ours.AppendJSON(lent[:0]); return nil }},
			{"parse", "published", func() error { _, err := orderedjson.ParseModel(source); return err }},
			{"parse", "lean", func() error { _, err := orderedjson.Parse(source); return err }},
			{"parse", "new", func() error { _, err := oas.Parse(source); return err }},
			{"parse", "reset", func() error { return kept.Reset(source) }},
			{"walk", "published", func() error {
				orderedjsonwalker.New(published, orderedjsonwalker.Every(func(c *orderedjsonwalker.Context) { length += len(c.JSONPath) }))
				return nil
			}},
			{"walk", "published-pool", func() error {
				orderedjsonwalker.Pool(published, orderedjsonwalker.Every(func(c *orderedjsonwalker.Context) { length += len(c.JSONPath) }))
				return nil
			}},
			{"walk", "every-node", func() error {
				walkNodes(published.Document().Root(), "", func(pointer string) { length += len(pointer) })
				return nil
			}},
			{"walk", "pointers", func() error {
				ours.Walk(func(c *oas.Cursor) oas.Action {
					pointer = c.AppendPointer(pointer[:0])
					length += len(pointer)
					return oas.Continue
				})
				return nil
			}},
			{"walk", "plain", func() error {
				ours.Walk(func(c *oas.Cursor) oas.Action { length++; return oas.Continue })
				return nil
			}},
		} {
			b.Run("do="+c.do+"/doc="+doc.name+"/arm="+c.arm, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := c.run(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// walkNodes visits each value of a tree of nodes with a string for its pointer.
// The published walker visits the parts of the specification only, with a context
// for each.
func walkNodes(n *yaml.Node, pointer string, visit func(pointer string)) {
	visit(pointer)
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			walkNodes(n.Content[i+1], pointer+"/"+escape.Replace(n.Content[i].Value), visit)
		}
	case yaml.SequenceNode:
		for i, e := range n.Content {
			walkNodes(e, pointer+"/"+strconv.Itoa(i), visit)
		}
	}
}

// escape writes a key as a part of a JSON pointer (RFC 6901, section 3).
var escape = strings.NewReplacer("~", "~0", "/", "~1")
