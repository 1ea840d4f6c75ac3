package gen

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

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
	values    []enumValue // of an enumeration
	builtin   bool        // the runtime has it
	variants  []variant
	tag       string // the property that says which variant it is
	extra     string // type of the members that are no properties; empty if there are none
	schemaKey string // in the table
	colour    uint8  // see cutCircles
}

type form uint8

const (
	alias      form = iota // type A = T
	definition             // type A T
	structure
	enumeration
	union // of several types
)

// variant is one of the types that a union may be.
type variant struct {
	name   string // of its accessors
	typ    goType
	key    string   // of its schema in the table
	values []string // of the discriminator
}

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
	null      bool   // it may be left out, and may be null
	empty     string // what is written in the place of nil; empty if nil may be written
}

// maxMerge is how deep schemas of allOf are merged.
const maxMerge = 16

// declare returns the declaration for a schema, which is noted before anything
// in it is looked at: a schema may hold itself.
func (g *generator) declare(s oas.Schema, name string) *decl {
	if d := g.made[s.Node]; d != nil {
		return d
	}
	d := &decl{schema: s}
	if conv := conversion(s); (conv == "Date" || conv == "UUID") && exported(name) == conv && len(enumValues(s)) == 0 {
		d.name, d.builtin = conv, true // the document calls it as the runtime does
	} else {
		d.name = unique(g.names, exported(name))
	}
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
		d.form, d.typ.text = enumeration, goTypes[conversion(s)]
		if s.Type() == "string" {
			d.typ.text = "string"
		}
		return
	}
	properties, required := g.properties(s)
	if len(properties) > 0 {
		d.form = structure
		g.fields(d, properties, required)
		return
	}
	if g.isUnion(s) {
		g.union(d)
		return
	}
	d.typ = g.inline(s, d.name)
	if d.typ.target == nil && (len(d.typ.text) > 2 && d.typ.text[:2] == "[]" || len(d.typ.text) > 4 && d.typ.text[:4] == "map[") {
		d.form = definition // so that it may hold itself
	}
}

func (g *generator) fields(d *decl, properties []oas.Schema, required []string) {
	taken := map[string]bool{"Valid": true, "MarshalJSON": true, "UnmarshalJSON": true, "Extra": true}
	if values, allowed := d.schema.AdditionalProperties(); allowed {
		d.extra = "json.RawMessage"
		if values.Exists() {
			d.extra = g.typeOf(values, d.name+"Value").text
		}
	}
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
			nullable := g.nullable(f.schema)
			switch raw := f.typ.text == "any" || f.typ.text == "json.RawMessage"; {
			case !f.required && nullable && !raw:
				f.null = true
			case !f.required || nullable:
				f.pointer = !g.isNilable(f.typ)
			case g.isNilable(f.typ) && !raw:
				f.empty = g.emptyOf(f.typ)
			}
		}
	}
	for _, o := range g.ops {
		if b := &o.body; (b.typed() || b.isParts()) && !b.required && !g.isNilable(b.typ) {
			b.typ.text = "*" + b.typ.text
		}
		for _, p := range o.body.parts {
			p.bare = p.conv == "JSON" && g.isNilable(p.json)
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
			if _, isBool := target.Bool(); !isBool {
				ref, _ := s.Ref()
				g.note(s.Node, "it becomes any: $ref "+strconv.Quote(ref)+" leads to no schema in the document")
			}
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
	if properties, _ := g.properties(s); len(properties) > 0 || g.isUnion(s) || len(enumValues(s)) > 0 {
		return named(g.declare(s, name))
	}
	return g.inline(s, name)
}

// nullable reports whether null is a value of a schema.
func (g *generator) nullable(s oas.Schema) bool {
	resolved := oas.Schema{Node: g.resolve(s.Node)}
	if s.Nullable() || resolved.Nullable() {
		return true
	}
	for _, key := range []string{"oneOf", "anyOf"} {
		for e := range resolved.Get(key).All() {
			if (oas.Schema{Node: e}).Type() == "null" || e.Get("type").Is("null") {
				return true
			}
		}
	}
	return false
}

// emptyOf returns an empty list or map, or nothing for a type that is neither.
func (g *generator) emptyOf(t goType) string {
	text := t.text
	for d := t.target; d != nil; d = t.target {
		if t = d.typ; d.form == definition || len(d.fields) > 0 {
			break
		}
	}
	if t.text == "[]byte" || !strings.HasPrefix(t.text, "[]") && !strings.HasPrefix(t.text, "map[") {
		return ""
	}
	return text + "{}"
}

// isUnion reports whether a schema may be one of several types.
func (g *generator) isUnion(s oas.Schema) bool {
	if s.Kind() != oas.Object || s.Get("oneOf").Len()+s.Get("anyOf").Len() < 2 {
		return false
	}
	if _, isRef := s.Ref(); isRef {
		return false
	}
	_, only := g.only(s)
	return !only
}

// union finds out which types a value of a declaration may have.
func (g *generator) union(d *decl) {
	d.form = union
	discriminator := d.schema.Get("discriminator")
	d.tag = discriminator.Get("propertyName").Str()
	taken := map[string]bool{"Valid": true, "MarshalJSON": true, "UnmarshalJSON": true, "Discriminator": true, "Value": true, "RawMessage": true}
	index := 0
	for _, key := range []string{"oneOf", "anyOf"} {
		for e := range d.schema.Get(key).All() {
			if index++; e.Get("type").Is("null") {
				continue
			}
			s := oas.Schema{Node: e}
			title := cmp.Or(s.Title(), "Variant"+strconv.Itoa(index))
			v := variant{typ: g.typeOf(s, d.name+exported(title)), key: g.schemaKey(e)}
			name := v.typ.text
			for strings.HasPrefix(name, "[]") && name != "[]byte" {
				name = name[2:] + " list"
			}
			if name == "any" {
				name = title
			}
			v.name = unique(taken, strings.TrimPrefix(exported(strings.ReplaceAll(name, "map[string]", "map of ")), "Any"))
			if ref, ok := e.Ref(); ok && d.tag != "" {
				target := g.resolve(e)
				for m := range discriminator.Get("mapping").All() {
					if m.Is(ref) || m.Is(target.Key()) {
						v.values = append(v.values, m.Key())
					}
				}
				if len(v.values) == 0 {
					v.values = []string{ref[strings.LastIndexByte(ref, '/')+1:]}
				}
			}
			d.variants = append(d.variants, v)
		}
	}
}

func named(d *decl) goType { return goType{text: d.name, target: d} }

// inline returns the type of a schema that is no struct of its own.
func (g *generator) inline(s oas.Schema, name string) goType {
	if s.Kind() != oas.Object {
		if _, isBool := s.Bool(); s.Exists() && !isBool {
			g.note(s.Node, "it becomes any: it is no schema")
		}
		return anyType
	}
	if only, ok := g.only(s); ok {
		return g.typeOf(only, name)
	}
	if s.Get("oneOf").Len()+s.Get("anyOf").Len() > 0 {
		g.note(s.Node, "it becomes json.RawMessage: its alternatives say nothing")
		return rawType
	}
	switch s.Type() {
	case "array":
		if s.Get("prefixItems").Exists() {
			g.note(s.Node, "it becomes []any: Go has no tuples")
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
			if saysAnything(s.Node) {
				g.note(s.Node, "it becomes any: the schema says no type")
			}
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

// cutCircles makes a pointer of each field by which a struct would hold itself,
// and any of an alias that is one of itself: neither compiles.
func (g *generator) cutCircles() {
	for _, d := range g.decls {
		end := d
		for n := 0; end != nil && end.form == alias; n++ {
			if n > len(g.decls) {
				d.typ = anyType
				g.note(d.schema.Node, "it becomes any: it refers to itself")
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
		if f.pointer || f.null || t == nil {
			continue
		}
		t.search()
		if t.colour == grey && f.required {
			f.pointer = true
		}
	}
	d.colour = black
}
