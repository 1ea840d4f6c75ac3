package orderedjsonwalker

import orderedjson "github.com/poolproof/poolproof/studies/ordered-json"

// Value is the arm value. It calls a handler for each part of the document. The
// context is a copy, the handler's own.
func Value(m *orderedjson.Model, h Handlers[Context]) {
	w := walker[Context]{Handlers: h, lend: func(c Context) Context { return c }, release: func(Context) {}}
	w.document(m)
}
