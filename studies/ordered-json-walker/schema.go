package orderedjsonwalker

import (
	"fmt"

	orderedjson "github.com/poolproof/poolproof/studies/ordered-json"
)

// maxDepth is how deep schemas may be in each other.
const maxDepth = 100

// unnamed returns the state for a schema without a name.
func (s *state) unnamed() *state {
	below := s.clone()
	below.name = ""
	return below
}

// schema visits a schema and all that it has inside. The paths of keywords that
// may hold a schema or a boolean are made whether they hold one or not, as
// published.
func (w *walker[C]) schema(x *orderedjson.Schema, path string, depth int, s *state) {
	if x == nil || w.stopped || depth > maxDepth || w.inside[x] {
		return
	}
	w.inside[x] = true
	defer delete(w.inside, x)
	if !call(w, w.Schema, s, path, x) {
		return
	}
	below := s.unnamed()

	w.named(x.Properties, path, ".properties['", depth, below)
	w.patterns(x.PatternProperties, path, ".patternProperties['", depth, below)
	w.open(x.AdditionalProperties, path+".additionalProperties", depth, below)
	w.open(x.UnevaluatedProperties, path+".unevaluatedProperties", depth, below)
	w.one(x.PropertyNames, path, ".propertyNames", depth, below)
	w.patterns(x.DependentSchemas, path, ".dependentSchemas['", depth, below)

	w.open(x.Items, path+".items", depth, below)
	w.open(x.AdditionalItems, path+".additionalItems", depth, below)
	w.list(x.PrefixItems, path, "prefixItems", depth, below)
	w.open(x.UnevaluatedItems, path+".unevaluatedItems", depth, below)
	w.one(x.Contains, path, ".contains", depth, below)

	w.list(x.AllOf, path, "allOf", depth, below)
	w.list(x.AnyOf, path, "anyOf", depth, below)
	w.list(x.OneOf, path, "oneOf", depth, below)
	w.one(x.Not, path, ".not", depth, below)
	w.one(x.If, path, ".if", depth, below)
	w.one(x.Then, path, ".then", depth, below)
	w.one(x.Else, path, ".else", depth, below)
	w.one(x.ContentSchema, path, ".contentSchema", depth, below)
	w.named(x.Defs, path, ".$defs['", depth, below)
}

// named visits schemas whose keys are their names.
func (w *walker[C]) named(all map[string]*orderedjson.Schema, path, keyword string, depth int, s *state) {
	for _, name := range sorted(all) {
		below := s.clone()
		below.name = name
		w.schema(all[name], path+keyword+name+"']", depth+1, below)
	}
}

// patterns visits schemas whose keys are not their names.
func (w *walker[C]) patterns(all map[string]*orderedjson.Schema, path, keyword string, depth int, s *state) {
	for _, key := range sorted(all) {
		w.schema(all[key], path+keyword+key+"']", depth+1, s)
	}
}

func (w *walker[C]) one(x *orderedjson.Schema, path, keyword string, depth int, s *state) {
	if x != nil {
		w.schema(x, path+keyword, depth+1, s)
	}
}

func (w *walker[C]) list(all []*orderedjson.Schema, path, keyword string, depth int, s *state) {
	for i, x := range all {
		w.schema(x, fmt.Sprintf("%s.%s[%d]", path, keyword, i), depth+1, s)
	}
}

// open visits what is a schema, a list of schemas, or neither.
func (w *walker[C]) open(x any, path string, depth int, s *state) {
	switch x := x.(type) {
	case *orderedjson.Schema:
		w.schema(x, path, depth+1, s)
	case []*orderedjson.Schema:
		for i, x := range x {
			w.schema(x, fmt.Sprintf("%s[%d]", path, i), depth+1, s)
		}
	}
}
