package gen

import (
	"fmt"

	"github.com/poolproof/poolproof/systems/oas"
)

// maxMerge is how deep schemas of allOf are merged.
const maxMerge = 16

// only returns the one schema that s stands for: the single one of allOf, oneOf
// or anyOf that says anything, if s itself says nothing but words about it.
func (m *model) only(s oas.Schema) (only oas.Schema, ok bool) {
	for _, key := range []string{"allOf", "oneOf", "anyOf"} {
		for e := range s.Get(key).All() {
			if e.Get("type").Is("null") || !saysAnything(e) {
				continue
			}
			if ok {
				return oas.Schema{}, false
			}
			only, ok = oas.Schema{Node: e}, true
		}
	}
	return only, ok
}

func saysAnything(s oas.Node) bool {
	for m := range s.All() {
		switch key := m.Key(); key {
		case "description", "title", "example", "examples", "default", "nullable", "deprecated", "readOnly", "writeOnly", "required":
		default:
			if len(key) < 2 || key[:2] != "x-" {
				return true
			}
		}
	}
	return false
}

// properties returns those of a schema with those of its allOf, in the order of
// the document, and the names that are required. Of two with the same name the
// later one counts, in the place of the first.
//
// Each schema counts once, however often allOf comes to it: else three schemas that
// each name the three before them, twelve times over, would be half a million.
func (m *model) properties(s oas.Schema) (all []oas.Schema, required []string) {
	if !s.Get("allOf").Exists() && !s.Get("properties").Exists() {
		return nil, nil
	}
	if _, isRef := s.Ref(); isRef {
		return nil, nil
	}
	if known := m.merged[s.Node]; known != nil {
		return known.all, known.required
	}
	to := new(merged)
	m.merged[s.Node] = to
	if !s.Get("properties").Exists() {
		if only, ok := m.only(s); ok {
			if _, isRef := only.Ref(); isRef {
				return nil, nil // it is that, not a copy of it
			}
		}
	}
	at, seen := map[string]int{}, map[oas.Node]bool{}
	var collect func(s oas.Schema, depth int)
	collect = func(s oas.Schema, depth int) {
		m.steps++
		resolved := oas.Schema{Node: m.resolve(s.Node)}
		if resolved.Kind() != oas.Object || depth > maxMerge || seen[resolved.Node] || m.tooMuch(s.Node) {
			return
		}
		seen[resolved.Node] = true
		for part := range resolved.AllOf() {
			collect(part, depth+1)
		}
		for p := range resolved.Properties() {
			m.steps++
			key := p.Key()
			i, known := at[key]
			if !known {
				i = len(to.all)
				at[key] = i
				to.all = append(to.all, p)
			}
			to.all[i] = p
		}
		for name := range resolved.Get("required").All() {
			to.required = append(to.required, name.Str())
		}
	}
	collect(s, 0)
	return to.all, to.required
}

// merged are the properties of a schema with those of its allOf.
type merged struct {
	all      []oas.Schema
	required []string
}

// maxSteps is how many schemas and properties allOf may bring together in a document.
const maxSteps = 2_000_000

// tooMuch reports whether allOf has brought together more than that, which is an error.
func (m *model) tooMuch(n oas.Node) bool {
	if m.steps > maxSteps && m.err == nil {
		line, column := n.Pos()
		m.err = fmt.Errorf("gen: %d:%d: the schemas of allOf bring together more than %d schemas and properties (in %s)", line, column, maxSteps, n.Pointer())
	}
	return m.err != nil
}
