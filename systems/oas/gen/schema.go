package gen

import (
	"cmp"
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

// declare returns the declaration for a schema, which is noted before anything
// in it is looked at: a schema may hold itself.
func (m *model) declare(s oas.Schema, name string) *decl {
	if d := m.made[s.Node]; d != nil {
		return d
	}
	d := &decl{schema: s}
	if conv := conversion(s); (conv == "Date" || conv == "UUID") && exported(name) == conv && len(enumValues(s)) == 0 {
		d.name, d.builtin = conv, true // the document calls it as the runtime does
	} else {
		d.name = unique(m.names, exported(name))
	}
	m.made[s.Node] = d
	m.decls = append(m.decls, d)
	return d
}

// fill finds out what a declaration is.
func (m *model) fill(d *decl) {
	s := d.schema
	if _, ok := s.Ref(); ok {
		d.typ = m.typeOf(s, d.name)
		return
	}
	if d.values = enumValues(s); len(d.values) > 0 {
		d.form, d.typ.text = enumeration, goTypes[conversion(s)]
		if s.Type() == "string" {
			d.typ.text = "string"
		}
		return
	}
	properties, required := m.properties(s)
	if len(properties) > 0 {
		d.form = structure
		m.fields(d, properties, required)
		return
	}
	if m.isUnion(s) {
		m.union(d)
		return
	}
	d.typ = m.inline(s, d.name)
	if d.typ.target == nil && (len(d.typ.text) > 2 && d.typ.text[:2] == "[]" || len(d.typ.text) > 4 && d.typ.text[:4] == "map[") {
		d.form = definition // so that it may hold itself
	}
}

func (m *model) fields(d *decl, properties []oas.Schema, required []string) {
	taken := names{"Valid": 1, "MarshalJSON": 1, "UnmarshalJSON": 1, "Extra": 1}
	if values, allowed := d.schema.AdditionalProperties(); allowed {
		d.extra = "json.RawMessage"
		if values.Exists() {
			d.extra = m.typeOf(values, d.name+"Value").text
		}
	}
	for _, p := range properties {
		f := &field{key: p.Key(), schema: p, required: slices.Contains(required, p.Key())}
		f.name = unique(taken, exported(f.key))
		f.typ = m.typeOf(p, d.name+f.name)
		d.fields = append(d.fields, f)
	}
}

// isNilable reports whether nil is a value of a type, once all declarations are
// filled.
func (m *model) isNilable(t goType) bool {
	for range m.decls {
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
func (m *model) optionals() {
	for _, d := range m.decls {
		for _, f := range d.fields {
			nullable := m.nullable(f.schema)
			switch raw := f.typ.text == "any" || f.typ.text == "json.RawMessage"; {
			case !f.required && nullable && !raw:
				f.null = true
			case !f.required || nullable:
				f.pointer = !m.isNilable(f.typ)
			case m.isNilable(f.typ) && !raw:
				f.empty = m.emptyOf(f.typ)
			}
		}
	}
	for _, o := range m.ops {
		if b := &o.body; (b.typed() || b.isParts()) && !b.required && !m.isNilable(b.typ) {
			b.typ.text = "*" + b.typ.text
		}
		for _, p := range o.body.parts {
			p.bare = p.conv == "JSON" && m.isNilable(p.json)
		}
		for _, p := range o.params {
			if p.object != nil && !p.required {
				p.object.pointer = !m.isNilable(p.object.typ)
			}
		}
	}
}

// typeOf returns the type of a schema where it is used. A struct in it is
// declared by the name.
func (m *model) typeOf(s oas.Schema, name string) goType {
	if _, ok := s.Ref(); ok {
		target := oas.Schema{Node: m.resolve(s.Node)}
		if target.Kind() != oas.Object {
			if _, isBool := target.Bool(); !isBool {
				ref, _ := s.Ref()
				m.note(s.Node, "it becomes any: $ref "+strconv.Quote(ref)+" leads to no schema in the document")
			}
			return anyType
		}
		if d := m.made[target.Node]; d != nil {
			return named(d)
		}
		key := target.Key()
		if key == "" {
			key = name
		}
		return named(m.declare(target, key))
	}
	if d := m.made[s.Node]; d != nil {
		return named(d)
	}
	if properties, _ := m.properties(s); len(properties) > 0 || m.isUnion(s) || len(enumValues(s)) > 0 {
		return named(m.declare(s, name))
	}
	return m.inline(s, name)
}

// nullable reports whether null is a value of a schema.
func (m *model) nullable(s oas.Schema) bool {
	resolved := oas.Schema{Node: m.resolve(s.Node)}
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
func (m *model) emptyOf(t goType) string {
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

func named(d *decl) goType { return goType{text: d.name, target: d} }

// inline returns the type of a schema that is no struct of its own.
func (m *model) inline(s oas.Schema, name string) goType {
	if s.Kind() != oas.Object {
		if _, isBool := s.Bool(); s.Exists() && !isBool {
			m.note(s.Node, "it becomes any: it is no schema")
		}
		return anyType
	}
	if only, ok := m.only(s); ok {
		return m.typeOf(only, name)
	}
	if s.Get("oneOf").Len()+s.Get("anyOf").Len() > 0 {
		m.note(s.Node, "it becomes json.RawMessage: its alternatives say nothing")
		return rawType
	}
	switch s.Type() {
	case "array":
		if s.Get("prefixItems").Exists() {
			m.note(s.Node, "it becomes []any: Go has no tuples")
			return goType{text: "[]any", nilable: true} // items is only for what is after these
		}
		return goType{text: "[]" + m.typeOf(s.Items(), name+"Item").text, nilable: true}
	case "string", "integer", "number", "boolean":
		if format := s.Format(); s.Type() == "string" && (format == "byte" || format == "binary") {
			return goType{text: "[]byte", nilable: true}
		}
		return goType{text: goTypes[conversion(s)]}
	case "object":
	default:
		if !s.Get("additionalProperties").Exists() {
			if saysAnything(s.Node) {
				m.note(s.Node, "it becomes any: the schema says no type")
			}
			return anyType
		}
	}
	element := "any"
	if values, _ := s.AdditionalProperties(); values.Exists() {
		element = m.typeOf(values, name+"Value").text
	}
	return goType{text: "map[string]" + element, nilable: true}
}

// variant is one of the types that a union may be.
type variant struct {
	name   string // of its accessors
	typ    goType
	key    string   // of its schema in the table
	values []string // of the discriminator
}

// enumValue is one of an enumeration: the words of its constant after the name of the type,
// and how Go writes it.
type enumValue struct{ words, literal string }

// conversions are how texts of a type and format are read. All others are strings.
var conversions = map[[2]string]string{
	{"integer"}: "Int64", {"integer", "int32"}: "Int32", {"integer", "uint32"}: "Uint32", {"integer", "uint64"}: "Uint64", {"number"}: "Float64", {"number", "float"}: "Float32", {"boolean"}: "Bool", {"string", "date-time"}: "Time", {"string", "date"}: "Date", {"string", "uuid"}: "UUID",
}

// conversion returns the one of a scalar schema, which is a key of goTypes.
func conversion(s oas.Schema) string {
	typ := s.Type()
	return cmp.Or(conversions[[2]string{typ, s.Format()}], conversions[[2]string{typ}], "String")
}

// constrained reports whether a schema says more than a type that Go has.
func constrained(s oas.Schema) bool {
	for m := range s.All() {
		switch m.Key() {
		case "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern",
			"minItems", "maxItems", "uniqueItems", "required", "minProperties", "maxProperties", "allOf", "oneOf", "anyOf", "not":
			return true
		case "format":
			if f := s.Format(); f == "date" || f == "uuid" || f == "email" || f == "uri" || f == "ipv4" || f == "ipv6" {
				return true
			}
		case "items", "additionalProperties":
			if constrained(oas.Schema{Node: m}) {
				return true
			}
		case "properties":
			for p := range m.All() {
				if constrained(oas.Schema{Node: p}) {
					return true
				}
			}
		}
	}
	return false
}

var goTypes = map[string]string{
	"String": "string", "Int32": "int32", "Int64": "int64", "Uint32": "uint32", "Uint64": "uint64", "Float32": "float32", "Float64": "float64", "Bool": "bool", "Time": "time.Time", "Date": "Date", "UUID": "UUID", "File": "FilePart",
}
