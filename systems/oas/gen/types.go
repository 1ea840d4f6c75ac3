package gen

import (
	"strconv"
	"strings"
)

const header = "// Code generated from an OpenAPI document. DO NOT EDIT.\n\n"

// types writes all declarations, the parameters of operations, and APIError.
func (g *generator) types() {
	g.text(header, "package ", g.name, "\n\n")
	switch raw, time := g.uses("json.RawMessage"), g.uses("time.Time"); {
	case raw && time:
		g.text("import (\n\t\"encoding/json\"\n\t\"fmt\"\n\t\"time\"\n)\n\n")
	case raw:
		g.text("import (\n\t\"encoding/json\"\n\t\"fmt\"\n)\n\n")
	case time:
		g.text("import (\n\t\"fmt\"\n\t\"time\"\n)\n\n")
	default:
		g.text("import \"fmt\"\n\n")
	}
	for _, d := range g.decls {
		g.declaration(d)
	}
	for _, o := range g.ops {
		g.paramsStruct(o)
	}
	g.text(apiError)
}

// uses reports whether a declaration or a parameter has the type.
func (g *generator) uses(typ string) bool {
	for _, d := range g.decls {
		if d.form <= definition && strings.Contains(d.typ.text, typ) {
			return true
		}
		for _, f := range d.fields {
			if strings.Contains(f.typ.text, typ) {
				return true
			}
		}
	}
	for _, o := range g.ops {
		for _, p := range o.params {
			if goTypes[p.conv] == typ || p.object != nil && strings.Contains(p.object.typ.text, typ) {
				return true
			}
		}
	}
	return false
}

func (g *generator) declaration(d *decl) {
	s := d.schema
	description := s.Description()
	if description == "" {
		description = s.Title()
	}
	if description == "" {
		description = "generated from " + strconv.Quote(s.Key()) + "."
		if s.Key() == "" {
			description = "generated from a schema."
		}
		g.comment("", d.name+" is", description)
	} else {
		g.comment("", d.name+":", description)
	}
	switch d.form {
	case alias:
		g.line("type ", d.name, " = ", d.typ.text)
	case definition:
		g.line("type ", d.name, " ", d.typ.text)
	case enumeration:
		g.enum(d)
	case structure:
		g.line("type ", d.name, " struct {")
		for _, f := range d.fields {
			g.field(f)
		}
		g.flush()
		g.line("}")
	}
	g.line()
}

func (g *generator) field(f *field) {
	typ := f.typ.text
	if f.pointer {
		typ = "*" + typ
	}
	t, ok := tag(f.key, !f.required)
	description := f.schema.Description()
	if !ok {
		description = "The key " + strconv.Quote(f.key) + " cannot be written in a struct tag. " + description
	}
	if description != "" {
		g.flush()
		g.comment("\t", "", description)
	}
	g.rows.add(f.name, typ, t)
}

func (g *generator) enum(d *decl) {
	g.line("type ", d.name, " string\n")
	g.line("// The values of ", d.name, ".")
	seen := map[string]bool{}
	for _, v := range d.values {
		if !seen[v] {
			seen[v] = true
			g.rows.add(unique(g.names, d.name+exported(v)), d.name, "= "+strconv.Quote(v))
		}
	}
	if c := g.rows.cells; len(c) == g.rows.width {
		g.line("const ", c[0], " ", c[1], " ", c[2])
		g.rows.reset()
		return
	}
	g.line("const (")
	g.flush()
	g.line(")")
}

func (g *generator) paramsStruct(o *operation) {
	if len(o.params) == 0 {
		return
	}
	g.comment("", o.paramsType+" holds the parameters of", o.name+".")
	g.line("type ", o.paramsType, " struct {")
	for _, p := range o.params {
		if p.description != "" {
			g.flush()
			g.comment("\t", "", p.description)
		}
		g.rows.add(p.field, p.typ())
	}
	g.flush()
	g.line("}\n")
}

const apiError = `// APIError is an answer that says that a request failed. A client returns it, and a server may
// return it to say which status the answer has.
type APIError struct {
	StatusCode int
	Body       []byte // at most 1 MiB of it
}

// Error returns the status and the body.
func (e *APIError) Error() string {
	return fmt.Sprintf("status %d: %s", e.StatusCode, e.Body)
}
`
