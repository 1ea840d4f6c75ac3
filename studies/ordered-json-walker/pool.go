package orderedjsonwalker

import (
	"github.com/poolproof/poolproof/pool"
	orderedjson "github.com/poolproof/poolproof/studies/ordered-json"
)

var contexts = pool.New(pool.Options[Context]{Reset: forget})

// forget clears a context before the next call may get it.
func forget(c *Context) { *c = Context{} }

// Pool is the arm pool. It calls a handler for each part of the document. The
// context is valid during the call only.
func Pool(m *orderedjson.Model, h Handlers[*Context]) {
	w := walker[*Context]{
		Handlers: h,
		lend: func(c Context) *Context {
			lent := contexts.Get()
			*lent = c
			return lent
		},
		release: func(lent *Context) { contexts.Put(lent) },
	}
	w.document(m)
}
