package gen

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/poolproof/poolproof/systems/oas"
)

// tableEntry is a schema that values are checked against when the program runs.
type tableEntry struct {
	key    string
	schema oas.Node
}

// schemaKey puts a schema into the table, and returns its name there: the reference
// that it is, or its pointer.
func (m *model) schemaKey(n oas.Node) string {
	if !n.Exists() {
		return ""
	}
	key, isRef := n.Ref()
	if target, known := m.refs[key]; isRef && known {
		n = target
	} else {
		key = "#" + n.Pointer()
	}
	if !m.keys[key] {
		m.keys[key] = true
		m.table = append(m.table, tableEntry{key, n})
	}
	return key
}

// tables finds the schemas of the declarations and all that these refer to.
func (m *model) tables() {
	for _, d := range m.decls {
		if d.form != alias && d.schema.Exists() {
			d.schemaKey = m.schemaKey(d.schema.Node)
		}
	}
	for i := 0; i < len(m.table); i++ {
		m.references(m.table[i].schema)
	}
}

// references puts what a schema refers to into the table, under the reference.
func (m *model) references(n oas.Node) {
	if ref, ok := n.Ref(); ok && !m.keys[ref] {
		target, known := m.refs[ref]
		if !known {
			target, _ = m.doc.At(ref)
		}
		if target.Exists() {
			m.keys[ref] = true
			m.table = append(m.table, tableEntry{ref, target})
		}
	}
	if p := n.Get("pattern"); p.Kind() == oas.String {
		if _, err := regexp.Compile(p.Str()); err != nil {
			m.note(p, fmt.Sprintf("values are not checked against the pattern: Go does not know it: %.200s", err))
		}
	}
	for c := range n.All() {
		if c.Kind() >= oas.Array {
			m.references(c)
		}
	}
}

// writeTable writes the schemas as JSON.
func (g *generator) writeTable() {
	if len(g.model.table) == 0 {
		g.line("// schemaTexts are the schemas that values are checked against: none.\nvar schemaTexts = []string{}\n")
		return
	}
	g.line("// schemaTexts are the schemas that values are checked against, each after its name.\nvar schemaTexts = []string{")
	var text []byte
	for _, e := range g.model.table {
		text = appendSchema(text[:0], e.schema)
		g.line("\t", quote(e.key), ",\n\t", quote(string(text)), ",")
	}
	g.line("}\n")
}

// appendSchema appends a schema without what says nothing about values.
func appendSchema(dst []byte, n oas.Node) []byte {
	if n.Kind() != oas.Object {
		return n.AppendJSON(dst)
	}
	dst = append(dst, '{')
	first := true
	for m := range n.All() {
		key := m.Key()
		switch key {
		case "description", "title", "example", "examples", "default", "deprecated", "xml", "externalDocs", "$comment", "writeOnly":
			continue
		}
		if strings.HasPrefix(key, "x-") {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(jsonString(dst, key), ':')
		switch key {
		case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
			dst = append(dst, '{')
			i := 0
			for p := range m.All() {
				if i++; i > 1 {
					dst = append(dst, ',')
				}
				dst = append(jsonString(dst, p.Key()), ':')
				dst = appendSchema(dst, p)
			}
			dst = append(dst, '}')
		case "allOf", "anyOf", "oneOf", "prefixItems":
			dst = append(dst, '[')
			i := 0
			for p := range m.All() {
				if i++; i > 1 {
					dst = append(dst, ',')
				}
				dst = appendSchema(dst, p)
			}
			dst = append(dst, ']')
		case "items", "additionalProperties", "not":
			dst = appendSchema(dst, m)
		default:
			dst = m.AppendJSON(dst)
		}
	}
	return append(dst, '}')
}

// jsonString appends a string of JSON.
func jsonString(dst []byte, s string) []byte {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string can always be written
	}
	return append(dst, b...)
}
