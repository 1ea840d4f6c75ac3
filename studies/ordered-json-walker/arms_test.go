package orderedjsonwalker

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/poolproof/poolproof/studies/internal/exact"
	orderedjson "github.com/poolproof/poolproof/studies/ordered-json"
)

// calls of each arm with the document, in the order of the arms.
func calls(m *orderedjson.Model) (all [4][]Context) {
	New(m, Every(func(c *Context) { all[0] = append(all[0], *c) }))
	Pool(m, Every(func(c *Context) { all[1] = append(all[1], *c) }))
	Value(m, Every(func(c Context) { all[2] = append(all[2], c) }))
	Pool(m, Every(func(c *Context) { all[3] = append(all[3], *c) }))
	return all
}

// TestArmsAgree holds the arms together: all make the same calls. It runs
// before anything is timed.
func TestArmsAgree(t *testing.T) {
	for _, doc := range documents {
		for range 2 { // the second run finds used contexts
			all := calls(doc.get())
			for i, arm := range arms {
				if !slices.Equal(all[i], all[0]) {
					t.Errorf("%s: %s makes other calls than new", doc.name, arm.name)
				}
			}
		}
		var want tally
		arms[0].walk(doc.get(), &want)
		for _, arm := range arms {
			var got tally
			if arm.walk(doc.get(), &got); got != want || got.calls == 0 {
				t.Errorf("%s: %s counts %+v, new %+v", doc.name, arm.name, got, want)
			}
		}
		t.Logf("result: %s %x", doc.name, sha256.Sum256(fmt.Appendf(nil, "%+v", want)))
	}
}

func TestTheWalkVisitsEveryPartWithItsPlace(t *testing.T) {
	m, err := orderedjson.ParseModel([]byte(`
openapi: 3.0.3
components:
  schemas:
    Order:
      type: object
      properties:
        total: {allOf: [{type: number}, {not: {type: string}}]}
        lines: {type: array, items: {type: string}}
      additionalProperties: false
    Map: {additionalProperties: {type: string}, items: [{type: string}, {$ref: '#/a'}]}
paths:
  /orders/{id}:
    parameters:
    - {schema: {type: string}, in: path, name: id, required: true}
    summary: one order
    put:
      requestBody: {content: {text/plain: {schema: {type: string}}}}
      responses:
        204: {description: replaced}
        default: {description: an error, content: {a/b: {}}}
info: {title: Shop, version: '1'}
`))
	if err != nil {
		t.Fatal(err)
	}
	const item = "$.paths['/orders/{id}']"
	const schemas = "$.components.schemas"
	type place struct {
		path, template, method, status, name string
		component                            bool
	}
	want := []place{
		{"$.info", "", "", "", "", false},
		{item, "/orders/{id}", "", "", "", false},
		{item + ".parameters[0]", "/orders/{id}", "", "", "", false},
		{item + ".parameters[0].schema", "/orders/{id}", "", "", "", false},
		{item + ".put", "/orders/{id}", "put", "", "", false},
		{item + ".put.requestBody", "/orders/{id}", "put", "", "", false},
		{item + ".put.requestBody.content['text/plain']", "/orders/{id}", "put", "", "text/plain", false},
		{item + ".put.requestBody.content['text/plain'].schema", "/orders/{id}", "put", "", "", false},
		{item + ".put.responses.default", "/orders/{id}", "put", "default", "", false},
		{item + ".put.responses.default.content['a/b']", "/orders/{id}", "put", "default", "a/b", false},
		{item + ".put.responses['204']", "/orders/{id}", "put", "204", "", false},
		{schemas + "['Map']", "", "", "", "Map", true},
		{schemas + "['Map'].additionalProperties", "", "", "", "", true},
		{schemas + "['Map'].items[0]", "", "", "", "", true},
		{schemas + "['Map'].items[1]", "", "", "", "", true},
		{schemas + "['Order']", "", "", "", "Order", true},
		{schemas + "['Order'].properties['lines']", "", "", "", "lines", true},
		{schemas + "['Order'].properties['lines'].items", "", "", "", "", true},
		{schemas + "['Order'].properties['total']", "", "", "", "total", true},
		{schemas + "['Order'].properties['total'].allOf[0]", "", "", "", "", true},
		{schemas + "['Order'].properties['total'].allOf[1]", "", "", "", "", true},
		{schemas + "['Order'].properties['total'].allOf[1].not", "", "", "", "", true},
	}
	for i, all := range calls(m) {
		var got []place
		for _, c := range all {
			got = append(got, place{c.JSONPath, c.PathTemplate, c.Method, c.StatusCode, c.Name, c.IsComponent})
			if c.Ctx == nil {
				t.Errorf("%s: no context.Context at %s", arms[i].name, c.JSONPath)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n%v\nwant\n%v", arms[i].name, got, want)
		}
	}
}

func TestAHandlerSkipsAndStops(t *testing.T) {
	m := documents[0].get()
	visited := func(schema func(*Context) Action) (paths []string) {
		h := Every(func(c *Context) { paths = append(paths, c.JSONPath) })
		h.Schema = func(c *Context, _ *orderedjson.Schema) Action {
			paths = append(paths, c.JSONPath)
			return schema(c)
		}
		New(m, h)
		return paths
	}
	all := visited(func(*Context) Action { return Continue })
	skipped := visited(func(*Context) Action { return SkipChildren })
	stopped := visited(func(*Context) Action { return Stop })
	if len(all) != 18 || len(skipped) != 9 || len(stopped) != 5 || !slices.Equal(stopped, all[:5]) {
		t.Errorf("%d parts, %d without what is in schemas, %d up to the first schema: %q", len(all), len(skipped), len(stopped), stopped)
	}
}

// What a handler keeps, and what it finds there after the walk. Published was
// that all of 15 kept contexts are wrong, and one and the same.
func TestAKeptContextIsRightUnlessItIsPooled(t *testing.T) {
	exact.Pools(t)
	m := once(orderedjson.Shape{Resources: 3, Operations: 5})()
	for _, c := range []struct {
		arm             string
		walk            func(*orderedjson.Model, Handlers[*Context])
		distinct, right int
	}{{"new", New, 15, 15}, {"pool", Pool, 1, 0}} {
		var kept []*Context
		var places []string
		distinct := map[*Context]bool{}
		c.walk(m, Handlers[*Context]{Operation: func(c *Context, _ *orderedjson.Operation) Action {
			kept, places = append(kept, c), append(places, c.JSONPath)
			distinct[c] = true
			return Continue
		}})
		right := 0
		for i, c := range kept {
			if c.JSONPath == places[i] {
				right++
			}
		}
		if len(kept) != 15 || len(distinct) != c.distinct || right != c.right {
			t.Errorf("%s: %d contexts kept, %d of them distinct, %d right; want 15, %d and %d", c.arm, len(kept), len(distinct), right, c.distinct, c.right)
		}
	}
}

// A pooled context must not lead to the last document's strings.
func TestThePoolHoldsEmptyContextsOnly(t *testing.T) {
	Pool(documents[0].get(), Every(func(*Context) {}))
	for range 4 {
		if c := contexts.Get(); *c != (Context{}) {
			t.Errorf("the next user finds %+v", *c)
		}
	}
}

func TestManyGoroutinesWalkOneDocument(t *testing.T) {
	d := documents[0].get()
	var want tally
	arms[0].walk(d, &want)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				for _, arm := range arms {
					var got tally
					if arm.walk(d, &got); got != want {
						t.Errorf("%s: %+v, want %+v", arm.name, got, want)
					}
				}
			}
		})
	}
	wg.Wait()
}
