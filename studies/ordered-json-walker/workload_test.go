package orderedjsonwalker

import (
	"sync"

	"go.yaml.in/yaml/v3"

	orderedjson "github.com/poolproof/poolproof/studies/ordered-json"
)

var documents = []struct {
	name string
	get  func() *orderedjson.Document
}{
	{"small", sync.OnceValue(orderedjson.Small.Document)},
	{"medium", sync.OnceValue(orderedjson.Medium.Document)},
	{"large", sync.OnceValue(orderedjson.Large.Document)},
}

// tally is what the user's function of the benchmarks does: it reads every
// string of the context.
type tally struct{ calls, bytes int }

func (t *tally) pointer(_ Kind, c *Context, _ *yaml.Node) {
	t.calls++
	t.bytes += len(c.JSONPath) + len(c.PathTemplate) + len(c.Method) + len(c.StatusCode) + len(c.Name)
}

func (t *tally) value(_ Kind, c Context, _ *yaml.Node) {
	t.calls++
	t.bytes += len(c.JSONPath) + len(c.PathTemplate) + len(c.Method) + len(c.StatusCode) + len(c.Name)
}

var arms = []struct {
	name string
	walk func(*orderedjson.Document, *tally)
}{
	{"new", func(d *orderedjson.Document, t *tally) { New(d, t.pointer) }},
	{"pool", func(d *orderedjson.Document, t *tally) { Pool(d, t.pointer) }},
	{"value", func(d *orderedjson.Document, t *tally) { Value(d, t.value) }},
}
