package orderedjsonwalker

import (
	"go.yaml.in/yaml/v3"

	"github.com/poolproof/poolproof/pool"
	orderedjson "github.com/poolproof/poolproof/studies/ordered-json"
)

var contexts = pool.New(pool.Options[Context]{Reset: forget})

// forget clears a context before the next call may get it.
func forget(c *Context) { *c = Context{} }

// Pool is the arm pool. It calls handle for each part of the document, in the
// order of the source. The context is valid during the call only.
func Pool(d *orderedjson.Document, handle func(Kind, *Context, *yaml.Node)) {
	walker{func(kind Kind, c Context, node *yaml.Node) {
		lent := contexts.Get()
		*lent = c
		handle(kind, lent, node)
		contexts.Put(lent)
	}}.document(d)
}
