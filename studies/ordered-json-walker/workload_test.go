package orderedjsonwalker

import (
	"fmt"
	"sync"

	orderedjson "github.com/poolproof/poolproof/studies/ordered-json"
)

var documents = []struct {
	name string
	get  func() *orderedjson.Model
}{
	{"small", once(orderedjson.Small)},
	{"medium", once(orderedjson.Medium)},
	{"large", once(orderedjson.Large)},
}

func once(s orderedjson.Shape) func() *orderedjson.Model {
	return sync.OnceValue(func() *orderedjson.Model {
		source, err := s.Source()
		if err != nil {
			panic(fmt.Sprintf("%+v: %v", s, err))
		}
		m, err := orderedjson.ParseModel(source)
		if err != nil {
			panic(fmt.Sprintf("%+v: %v", s, err))
		}
		return m
	})
}

// tally has the user's handlers of the benchmarks: they read every
// string of the context.
type tally struct{ calls, bytes int }

func (t *tally) pointer(c *Context) {
	t.calls++
	t.bytes += len(c.JSONPath) + len(c.PathTemplate) + len(c.Method) + len(c.StatusCode) + len(c.Name)
}

func (t *tally) value(c Context) {
	t.calls++
	t.bytes += len(c.JSONPath) + len(c.PathTemplate) + len(c.Method) + len(c.StatusCode) + len(c.Name)
}

var arms = []struct {
	name string
	walk func(*orderedjson.Model, *tally)
}{
	{"new", func(m *orderedjson.Model, t *tally) { New(m, Every(t.pointer)) }},
	{"pool", func(m *orderedjson.Model, t *tally) { Pool(m, Every(t.pointer)) }},
	{"value", func(m *orderedjson.Model, t *tally) { Value(m, Every(t.value)) }},
	{"again", func(m *orderedjson.Model, t *tally) { Pool(m, Every(t.pointer)) }}, // for the study published
}
