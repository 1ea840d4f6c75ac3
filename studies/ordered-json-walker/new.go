package orderedjsonwalker

import (
	"go.yaml.in/yaml/v3"

	orderedjson "github.com/poolproof/poolproof/studies/ordered-json"
)

// New is the arm new. It calls handle for each part of the document, in the
// order of the source. The context is handle's to keep.
func New(d *orderedjson.Document, handle func(Kind, *Context, *yaml.Node)) {
	walker{func(kind Kind, c Context, node *yaml.Node) {
		handle(kind, newContext(c), node)
	}}.document(d)
}

func newContext(c Context) *Context { return &c }
