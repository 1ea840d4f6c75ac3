package orderedjsonwalker

import (
	"context"
	"fmt"

	orderedjson "github.com/poolproof/poolproof/studies/ordered-json"
)

// walker goes through the structs of a document, maps in the order of their
// keys, with a text for the path of each part. lend and release are where the
// arms differ.
type walker[C any] struct {
	Handlers[C]
	lend    func(Context) C // what a handler is given
	release func(C)         // is called after the handler

	inside  map[*orderedjson.Schema]bool // the schemas that the walk is in
	stopped bool
}

// call returns whether the walk goes into the part.
func call[C, P any](w *walker[C], handle func(C, *P) Action, s *state, path string, part *P) bool {
	if handle == nil {
		return true
	}
	c := w.lend(s.at(path))
	action := handle(c, part)
	w.release(c)
	w.stopped = action == Stop
	return action == Continue
}

func (w *walker[C]) document(m *orderedjson.Model) {
	w.inside = make(map[*orderedjson.Schema]bool)
	s := &state{ctx: context.Background()}
	if m.Info != nil {
		call(w, w.Info, s, "$.info", m.Info)
	}
	for _, template := range sorted(m.Paths) {
		if item := m.Paths[template]; item != nil && !w.stopped {
			below := s.clone()
			below.pathTemplate = template
			w.pathItem(item, "$.paths['"+template+"']", below)
		}
	}
	if m.Components != nil {
		below := s.clone()
		below.isComponent = true
		w.named(m.Components.Schemas, "$.components", ".schemas['", -1, below)
	}
}

func (w *walker[C]) pathItem(item *orderedjson.PathItem, path string, s *state) {
	if !call(w, w.PathItem, s, path, item) {
		return
	}
	w.parameters(item.Parameters, path, s)
	for _, o := range []struct {
		method string
		*orderedjson.Operation
	}{
		{"get", item.Get}, {"put", item.Put}, {"post", item.Post}, {"delete", item.Delete}, {"options", item.Options},
		{"head", item.Head}, {"patch", item.Patch}, {"trace", item.Trace}, {"query", item.Query},
	} {
		if o.Operation != nil && !w.stopped {
			below := s.clone()
			below.method = o.method
			w.operation(o.Operation, path+"."+o.method, below)
		}
	}
}

func (w *walker[C]) operation(o *orderedjson.Operation, path string, s *state) {
	if !call(w, w.Operation, s, path, o) {
		return
	}
	w.parameters(o.Parameters, path, s)
	if o.RequestBody != nil && !w.stopped {
		path := path + ".requestBody"
		if call(w, w.RequestBody, s, path, o.RequestBody) {
			w.content(o.RequestBody.Content, path+".content", s)
		}
	}
	if o.Responses != nil && !w.stopped {
		w.responses(o.Responses, path+".responses", s)
	}
}

func (w *walker[C]) responses(all *orderedjson.Responses, path string, s *state) {
	if all.Default != nil {
		w.response(all.Default, path+".default", "default", s)
	}
	for _, code := range sorted(all.Codes) {
		if r := all.Codes[code]; r != nil && !w.stopped {
			w.response(r, path+"['"+code+"']", code, s)
		}
	}
}

func (w *walker[C]) response(r *orderedjson.Response, path, code string, s *state) {
	below := s.clone()
	below.statusCode = code
	if call(w, w.Response, below, path, r) && r.Content != nil {
		w.content(r.Content, path+".content", below)
	}
}

func (w *walker[C]) parameters(list []*orderedjson.Parameter, path string, s *state) {
	for i, p := range list {
		if p == nil || w.stopped {
			continue
		}
		path := fmt.Sprintf("%s.parameters[%d]", path, i)
		if !call(w, w.Parameter, s, path, p) {
			continue
		}
		if p.Schema != nil {
			w.schema(p.Schema, path+".schema", 0, s.unnamed())
		}
		if p.Content != nil {
			w.content(p.Content, path+".content", s)
		}
	}
}

func (w *walker[C]) content(all map[string]*orderedjson.MediaType, path string, s *state) {
	for _, name := range sorted(all) {
		m := all[name]
		if m == nil || w.stopped {
			continue
		}
		path := path + "['" + name + "']"
		below := s.clone()
		below.name = name
		if call(w, w.MediaType, below, path, m) && m.Schema != nil {
			w.schema(m.Schema, path+".schema", 0, below.unnamed())
		}
	}
}
