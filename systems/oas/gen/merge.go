package gen

import (
	"fmt"

	"github.com/poolproof/poolproof/systems/oas"
)

// maxMerge is how deep schemas of allOf are merged.
const maxMerge = 16

// only returns the one schema that s stands for: the single one of allOf, oneOf
// or anyOf that says anything, if s itself says nothing but words about it.
func (g *generator) only(s oas.Schema) (only oas.Schema, ok bool) {
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
func (g *generator) properties(s oas.Schema) (all []oas.Schema, required []string) {
	if !s.Get("allOf").Exists() && !s.Get("properties").Exists() {
		return nil, nil
	}
	if _, isRef := s.Ref(); isRef {
		return nil, nil
	}
	if m := g.merged[s.Node]; m != nil {
		return m.all, m.required
	}
	m := new(merged)
	g.merged[s.Node] = m
	if !s.Get("properties").Exists() {
		if only, ok := g.only(s); ok {
			if _, isRef := only.Ref(); isRef {
				return nil, nil // it is that, not a copy of it
			}
		}
	}
	at, seen := map[string]int{}, map[oas.Node]bool{}
	var collect func(s oas.Schema, depth int)
	collect = func(s oas.Schema, depth int) {
		g.steps++
		resolved := oas.Schema{Node: g.resolve(s.Node)}
		if resolved.Kind() != oas.Object || depth > maxMerge || seen[resolved.Node] || g.tooMuch(s.Node) {
			return
		}
		seen[resolved.Node] = true
		for part := range resolved.AllOf() {
			collect(part, depth+1)
		}
		for p := range resolved.Properties() {
			g.steps++
			key := p.Key()
			i, known := at[key]
			if !known {
				i = len(m.all)
				at[key] = i
				m.all = append(m.all, p)
			}
			m.all[i] = p
		}
		for name := range resolved.Get("required").All() {
			m.required = append(m.required, name.Str())
		}
	}
	collect(s, 0)
	return m.all, m.required
}

// merged are the properties of a schema with those of its allOf.
type merged struct {
	all      []oas.Schema
	required []string
}

// maxSteps is how many schemas and properties allOf may bring together in a document.
const maxSteps = 2_000_000

// tooMuch reports whether allOf has brought together more than that, which is an error.
func (g *generator) tooMuch(n oas.Node) bool {
	if g.steps > maxSteps && g.err == nil {
		line, column := n.Pos()
		g.err = fmt.Errorf("gen: %d:%d: the schemas of allOf bring together more than %d schemas and properties (in %s)", line, column, maxSteps, n.Pointer())
	}
	return g.err != nil
}
