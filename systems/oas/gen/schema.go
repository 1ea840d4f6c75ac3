package gen

import (
	"slices"

	"github.com/poolproof/poolproof/systems/oas"
)

// decl is a type that is declared.
type decl struct {
	name      string
	schema    oas.Schema
	component bool
	form      form
	typ       goType // of what an alias or a definition is one
	fields    []*field
	values    []string // of an enumeration
	colour    uint8    // see cutCircles
}

type form uint8

const (
	alias      form = iota // type A = T
	definition             // type A T
	structure
	enumeration
)

// goType is how a type is written where it is used.
type goType struct {
	text    string
	nilable bool  // nil is a value of it
	target  *decl // the declaration that it names
}

var (
	anyType = goType{text: "any", nilable: true}
	rawType = goType{text: "json.RawMessage", nilable: true}
	reader  = goType{text: "io.Reader", nilable: true}
)

// field is one of a struct.
type field struct {
	name, key string
	schema    oas.Schema
	typ       goType
	pointer   bool
	required  bool
}

// maxMerge is how deep schemas of allOf are merged.
const maxMerge = 16

// declare returns the declaration for a schema, which is noted before anything
// in it is looked at: a schema may hold itself.
func (g *generator) declare(s oas.Schema, name string) *decl {
	if d := g.made[s.Node]; d != nil {
		return d
	}
	d := &decl{name: unique(g.names, exported(name)), schema: s}
	g.made[s.Node] = d
	g.decls = append(g.decls, d)
	return d
}

// fill finds out what a declaration is.
func (g *generator) fill(d *decl) {
	s := d.schema
	if _, ok := s.Ref(); ok {
		d.typ = g.typeOf(s, d.name)
		return
	}
	if d.values = enumValues(s); len(d.values) > 0 {
		d.form = enumeration
		return
	}
	properties, required := g.properties(s)
	if len(properties) > 0 {
		d.form = structure
		g.fields(d, properties, required)
		return
	}
	d.typ = g.inline(s, d.name)
	if d.typ.target == nil && (len(d.typ.text) > 2 && d.typ.text[:2] == "[]" || len(d.typ.text) > 4 && d.typ.text[:4] == "map[") {
		d.form = definition // so that it may hold itself
	}
}

func (g *generator) fields(d *decl, properties []oas.Schema, required []string) {
	taken := map[string]bool{}
	for _, p := range properties {
		f := &field{key: p.Key(), schema: p, required: slices.Contains(required, p.Key())}
		f.name = unique(taken, exported(f.key))
		f.typ = g.typeOf(p, d.name+f.name)
		d.fields = append(d.fields, f)
	}
}

// isNilable reports whether nil is a value of a type, once all declarations are
// filled.
func (g *generator) isNilable(t goType) bool {
	for range g.decls {
		if t.target == nil {
			return t.nilable
		}
		if t.target.form >= structure {
			return false
		}
		t = t.target.typ
	}
	return t.target != nil || t.nilable // an alias of itself becomes any
}

// optionals makes pointers of what may be left out and is of a type without nil.
func (g *generator) optionals() {
	for _, d := range g.decls {
		for _, f := range d.fields {
			may := !f.required || f.schema.Nullable() || oas.Schema{Node: g.resolve(f.schema.Node)}.Nullable()
			f.pointer = may && !g.isNilable(f.typ)
		}
	}
	for _, o := range g.ops {
		if b := &o.body; b.isJSON && !b.required && !g.isNilable(b.typ) {
			b.typ.text = "*" + b.typ.text
		}
		for _, p := range o.params {
			if p.object != nil && !p.required {
				p.object.pointer = !g.isNilable(p.object.typ)
			}
		}
	}
}

// typeOf returns the type of a schema where it is used. A struct in it is
// declared by the name.
func (g *generator) typeOf(s oas.Schema, name string) goType {
	if _, ok := s.Ref(); ok {
		target := oas.Schema{Node: g.resolve(s.Node)}
		if target.Kind() != oas.Object {
			return anyType
		}
		if d := g.made[target.Node]; d != nil {
			return named(d)
		}
		key := target.Key()
		if key == "" {
			key = name
		}
		return named(g.declare(target, key))
	}
	if d := g.made[s.Node]; d != nil {
		return named(d)
	}
	if properties, _ := g.properties(s); len(properties) > 0 {
		return named(g.declare(s, name))
	}
	return g.inline(s, name)
}

func named(d *decl) goType { return goType{text: d.name, target: d} }

// inline returns the type of a schema that is no struct of its own.
func (g *generator) inline(s oas.Schema, name string) goType {
	if s.Kind() != oas.Object {
		return anyType
	}
	if only, ok := g.only(s); ok {
		return g.typeOf(only, name)
	}
	if s.Get("oneOf").Len()+s.Get("anyOf").Len() > 0 {
		return rawType
	}
	switch s.Type() {
	case "array":
		if s.Get("prefixItems").Exists() {
			return goType{text: "[]any", nilable: true} // items is only for what is after these
		}
		return goType{text: "[]" + g.typeOf(s.Items(), name+"Item").text, nilable: true}
	case "string", "integer", "number", "boolean":
		if format := s.Format(); s.Type() == "string" && (format == "byte" || format == "binary") {
			return goType{text: "[]byte", nilable: true}
		}
		return goType{text: goTypes[conversion(s)]}
	case "object":
	default:
		if !s.Get("additionalProperties").Exists() {
			return anyType
		}
	}
	element := "any"
	if values, _ := s.AdditionalProperties(); values.Exists() {
		element = g.typeOf(values, name+"Value").text
	}
	return goType{text: "map[string]" + element, nilable: true}
}

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
func (g *generator) properties(s oas.Schema) (all []oas.Schema, required []string) {
	var within []oas.Node
	var collect func(s oas.Schema)
	collect = func(s oas.Schema) {
		resolved := oas.Schema{Node: g.resolve(s.Node)}
		if resolved.Kind() != oas.Object || len(within) > maxMerge || slices.Contains(within, resolved.Node) {
			return
		}
		within = append(within, resolved.Node)
		for part := range resolved.AllOf() {
			collect(part)
		}
		for p := range resolved.Properties() {
			at := slices.IndexFunc(all, func(other oas.Schema) bool { return other.KeyIs(p.Key()) })
			if at < 0 {
				all = append(all, p)
			} else {
				all[at] = p
			}
		}
		for name := range resolved.Get("required").All() {
			required = append(required, name.Str())
		}
		within = within[:len(within)-1]
	}
	if !s.Get("allOf").Exists() && !s.Get("properties").Exists() {
		return nil, nil
	}
	if _, isRef := s.Ref(); isRef {
		return nil, nil
	}
	collect(s)
	if !s.Get("properties").Exists() {
		if only, ok := g.only(s); ok {
			if _, isRef := only.Ref(); isRef {
				return nil, nil // it is that, not a copy of it
			}
		}
	}
	return all, required
}

// enumValues returns the texts of an enumeration of strings.
func enumValues(s oas.Schema) (values []string) {
	if s.Type() != "string" || s.Format() == "date-time" || s.Format() == "byte" || s.Format() == "binary" {
		return nil
	}
	for v := range s.Enum() {
		if v.Kind() == oas.String {
			values = append(values, v.Str())
		}
	}
	return values
}

// cutCircles makes a pointer of each field by which a struct would hold itself,
// and any of an alias that is one of itself: neither compiles.
func (g *generator) cutCircles() {
	for _, d := range g.decls {
		end := d
		for n := 0; end != nil && end.form == alias; n++ {
			if n > len(g.decls) {
				d.typ = anyType
				break
			}
			end = end.typ.target
		}
	}
	for _, d := range g.decls {
		d.search()
	}
}

const (
	white uint8 = iota
	grey        // what leads here is being looked at
	black
)

func (d *decl) search() {
	if d.colour != white {
		return
	}
	d.colour = grey
	if d.form == alias && d.typ.target != nil {
		d.typ.target.search()
	}
	for _, f := range d.fields {
		t := f.typ.target
		if f.pointer || t == nil {
			continue
		}
		t.search()
		if t.colour == grey && f.required {
			f.pointer = true
		}
	}
	d.colour = black
}
