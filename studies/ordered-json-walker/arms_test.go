package orderedjsonwalker

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/poolproof/poolproof/studies/internal/exact"
	orderedjson "github.com/poolproof/poolproof/studies/ordered-json"
)

// call is one call of the user's function, copied.
type call struct {
	Kind Kind
	Context
	Line int
}

// calls of each arm with the document, in the order of the arms.
func calls(d *orderedjson.Document) (all [3][]call) {
	New(d, func(k Kind, c *Context, n *yaml.Node) { all[0] = append(all[0], call{k, *c, n.Line}) })
	Pool(d, func(k Kind, c *Context, n *yaml.Node) { all[1] = append(all[1], call{k, *c, n.Line}) })
	Value(d, func(k Kind, c Context, n *yaml.Node) { all[2] = append(all[2], call{k, c, n.Line}) })
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
	d, err := orderedjson.Parse([]byte(`
openapi: 3.0.3
components:
  schemas:
    Order:
      type: object
      properties:
        lines: {type: array, items: {type: string}}
paths:
  /orders/{id}:
    parameters:
    - {schema: {type: string}, in: path, name: id}
    summary: one order
    put:
      requestBody: {content: {text/plain: {schema: {type: string}}}}
      responses:
        204: {description: replaced}
        default: {description: an error, content: {a/b: {}}}
info: {title: Shop}
`))
	if err != nil {
		t.Fatal(err)
	}
	const item = "$.paths['/orders/{id}']"
	type place struct {
		kind                                 Kind
		path, template, method, status, name string
		component                            bool
	}
	want := []place{
		{Schema, "$.components.schemas['Order']", "", "", "", "Order", true},
		{Schema, "$.components.schemas['Order'].properties['lines']", "", "", "", "lines", true},
		{Schema, "$.components.schemas['Order'].properties['lines'].items", "", "", "", "lines", true},
		{PathItem, item, "/orders/{id}", "", "", "", false},
		{Parameter, item + ".parameters[0]", "/orders/{id}", "", "", "id", false},
		{Schema, item + ".parameters[0].schema", "/orders/{id}", "", "", "id", false},
		{Operation, item + ".put", "/orders/{id}", "put", "", "", false},
		{RequestBody, item + ".put.requestBody", "/orders/{id}", "put", "", "", false},
		{MediaType, item + ".put.requestBody.content['text/plain']", "/orders/{id}", "put", "", "text/plain", false},
		{Schema, item + ".put.requestBody.content['text/plain'].schema", "/orders/{id}", "put", "", "text/plain", false},
		{Response, item + ".put.responses['204']", "/orders/{id}", "put", "204", "", false},
		{Response, item + ".put.responses['default']", "/orders/{id}", "put", "default", "", false},
		{MediaType, item + ".put.responses['default'].content['a/b']", "/orders/{id}", "put", "default", "a/b", false},
		{Info, "$.info", "", "", "", "", false},
	}
	for i, all := range calls(d) {
		var got []place
		for _, c := range all {
			got = append(got, place{c.Kind, c.JSONPath, c.PathTemplate, c.Method, c.StatusCode, c.Name, c.IsComponent})
			if c.Ctx == nil {
				t.Errorf("%s: no context.Context at %s", arms[i].name, c.JSONPath)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n%v\nwant\n%v", arms[i].name, got, want)
		}
	}
}

// What a callback keeps, and what it finds there after the walk. Published was
// that all of 15 kept contexts are wrong, and one and the same.
func TestAKeptContextIsRightUnlessItIsPooled(t *testing.T) {
	exact.Pools(t)
	shape := orderedjson.Shape{Resources: 3, Operations: 5}
	d := shape.Document()
	for _, c := range []struct {
		arm             string
		walk            func(*orderedjson.Document, func(Kind, *Context, *yaml.Node))
		distinct, right int
	}{{"new", New, 15, 15}, {"pool", Pool, 1, 0}} {
		var kept []*Context
		var places []string
		distinct := map[*Context]bool{}
		c.walk(d, func(k Kind, c *Context, _ *yaml.Node) {
			if k == Operation {
				kept, places = append(kept, c), append(places, c.JSONPath)
				distinct[c] = true
			}
		})
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
	Pool(documents[0].get(), func(Kind, *Context, *yaml.Node) {})
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
