package gen

import (
	"cmp"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/systems/oas"
)

func (p *param) typ() string {
	t := goTypes[p.conv]
	if p.conv == "JSON" {
		t = p.json.text
	}
	switch {
	case p.object != nil && p.object.pointer:
		return "*" + p.object.typ.text
	case p.object != nil:
		return p.object.typ.text
	case p.list:
		return "[]" + t
	case p.required || p.bare:
		return t
	default:
		return "*" + t
	}
}

// noHeader reports whether a parameter in the header is none: from version 3.0 on
// three names are to be ignored, and no request can have a name that is no token.
func (m *model) noHeader(name string) bool {
	switch strings.ToLower(name) {
	case "accept", "content-type", "authorization":
		return !m.doc.Root().Get("swagger").Exists()
	}
	return !isToken(name)
}

// param returns the parameter of the operation, or nil if it is none that a
// method can have.
func (m *model) param(p oas.Parameter, operation string, taken names) *param {
	to := &param{name: p.Name(), in: p.In(), description: p.Description(), required: p.Required() || p.In() == "path", conv: "String"}
	style, explode := p.Get("style").Str(), false
	if style == "" && (to.in == "path" || to.in == "header") {
		style = "simple"
	} else if style == "" {
		style, explode = "form", !m.doc.Root().Get("swagger").Exists()
	}
	if said, ok := p.Get("explode").Bool(); ok {
		explode = said
	}
	s := oas.Schema{Node: m.resolve(p.Schema().Node)}
	if to.in == "querystring" { // all of the query: a form is an object whose members are apart
		if s = (oas.Schema{Node: m.resolve(p.Get("content").Get("application/x-www-form-urlencoded").Get("schema"))}); s.Exists() {
			to.in, style, explode = "query", "form", true
		}
	}
	field := exported(to.name)
	if to.object = m.object(s, operation+field, style, explode, to); to.object == nil && to.in == "query" && p.In() == "querystring" {
		return nil
	}
	to.field = unique(taken, field)
	if to.in == "path" {
		to.inPath(style, explode)
	}
	if constrained(s) {
		to.key = m.schemaKey(cmp.Or(p.Get("schema"), s.Node))
	}
	if to.object != nil {
		return to
	}
	to.conv = conversion(s)
	if s.Type() != "array" {
		if v := s.Get("default"); !to.required && v.Exists() && v.Kind() < oas.Array && v.Kind() != oas.Null {
			if to.byDefault = v.Str(); v.Kind() != oas.String {
				to.byDefault = string(v.Raw())
			}
		}
		return to
	}
	to.list = true
	to.conv = conversion(oas.Schema{Node: m.resolve(s.Items().Node)})
	if to.sep == "" {
		to.sep = ","
	}
	switch format := p.Get("collectionFormat").Str(); {
	case style == "spaceDelimited" || format == "ssv":
		to.sep = " "
	case style == "pipeDelimited" || format == "pipes":
		to.sep = "|"
	case format == "tsv":
		to.sep = "\t"
	case to.in == "query" && (format == "multi" || explode || style == "deepObject"):
		to.sep = ""
	}
	return to
}

// part returns a member of a body in fields and files.
func (m *model) part(name string, of oas.Schema, typeName string, encoding oas.Node, taken names) *param {
	to := &param{name: name, in: "part", description: of.Description(), field: unique(taken, exported(name))}
	if t := encoding.Get("contentType").Str(); !strings.ContainsAny(t, "*,") {
		to.contentType = t
	}
	whole := oas.Schema{Node: m.resolve(of.Node)}
	one, s := of, whole
	if to.list = s.Type() == "array"; to.list {
		one = s.Items()
		s = oas.Schema{Node: m.resolve(one.Node)}
	}
	switch typ := s.Type(); {
	case isFile(s):
		to.conv = "File"
		return to
	case typ == "string" || typ == "integer" || typ == "number" || typ == "boolean":
		to.conv = conversion(s)
	case to.contentType != "" && !isJSON(to.contentType):
		to.conv = "String" // the caller writes it
		return to
	default:
		to.conv, to.json, to.contentType = "JSON", m.typeOf(one, typeName+to.field), cmp.Or(to.contentType, "application/json")
	}
	if to.conv == "JSON" || constrained(whole) {
		to.key = m.schemaKey(of.Node)
	}
	return to
}

// parts makes a body one of fields and files if its schema says which they are.
func (m *model) parts(to *operation, content oas.Node) {
	s := oas.Schema{Node: m.resolve(content.Get("schema"))}
	properties, required := m.properties(s)
	taken := names{}
	for _, p := range properties {
		part := m.part(p.Key(), p, to.name+"Body", content.Get("encoding").Get(p.Key()), taken)
		part.required = slices.Contains(required, p.Key())
		to.body.parts = append(to.body.parts, part)
	}
	m.nameParts(to)
}

func (m *model) nameParts(to *operation) {
	if b := &to.body; b.isParts() {
		b.partsType = unique(m.names, to.name+"Body")
		b.typ = goType{text: b.partsType}
	}
}

// isFile reports whether a part of a body is a file.
func isFile(s oas.Schema) bool {
	if typ := s.Type(); typ != "string" {
		return typ == "file"
	}
	return s.Format() == "binary" || s.Get("contentMediaType").Exists() && !s.Get("contentEncoding").Exists()
}

// inPath sets what stands before and between the values in a path.
func (p *param) inPath(style string, explode bool) {
	p.sep = ","
	switch {
	case style == "label":
		p.prefix = "."
		if explode {
			p.sep = "."
		}
	case style == "matrix" && explode && p.object != nil:
		p.prefix, p.sep = ";", ";"
	case style == "matrix":
		p.prefix = ";" + p.name + "="
		if explode {
			p.sep = p.prefix
		}
	}
}

// object returns how an object is written as a parameter, or nil if s is no
// object whose members are strings, numbers and booleans, or lists of these in the
// style deepObject, where each element is a value of its own.
func (m *model) object(s oas.Schema, name, style string, explode bool, p *param) *object {
	o := &object{between: ","}
	properties, _ := m.properties(s)
	values, _ := s.AdditionalProperties()
	if s.Type() != "object" && len(properties) == 0 || len(properties) == 0 && !values.Exists() {
		return nil
	}
	isDeep := style == "deepObject" && p.in == "query"
	add := func(key string, s oas.Schema) bool {
		s = oas.Schema{Node: m.resolve(s.Node)}
		if s.Type() == "array" && isDeep {
			o.lists = append(o.lists, key)
			s = oas.Schema{Node: m.resolve(s.Items().Node)}
		}
		switch s.Type() {
		case "string":
			o.texts = append(o.texts, key)
		case "integer", "number", "boolean":
		default:
			return false
		}
		return true
	}
	for _, member := range properties {
		if !add(member.Key(), member) {
			return nil
		}
		o.members = append(o.members, member.Key())
	}
	if len(properties) == 0 && !add("*", values) {
		return nil
	}
	switch {
	case isDeep:
		o.way = deep
	case style == "form" && explode && p.in == "query":
		if len(properties) == 0 {
			return nil // any other parameter could be a member
		}
		o.way = apart
	case explode && p.in != "cookie":
		o.between = "="
	}
	o.typ = m.typeOf(s, name)
	p.sep = ","
	return o
}
