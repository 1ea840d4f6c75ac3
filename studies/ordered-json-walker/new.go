package orderedjsonwalker

import orderedjson "github.com/poolproof/poolproof/studies/ordered-json"

// New is the arm new. It calls a handler for each part of the document. The
// context is the handler's to keep.
func New(m *orderedjson.Model, h Handlers[*Context]) {
	w := walker[*Context]{Handlers: h, lend: newContext, release: func(*Context) {}}
	w.document(m)
}

func newContext(c Context) *Context { return &c }
