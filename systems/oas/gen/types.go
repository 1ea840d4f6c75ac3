package gen

import (
	"strconv"
)

// types writes all declarations, the parameters of operations, and what all code has.
func (g *generator) types() {
	g.head(typesRuntime())
	for _, d := range g.model.decls {
		if !d.builtin {
			g.declaration(d)
		}
	}
	for _, o := range g.model.ops {
		g.paramsStruct(o)
		g.partsStruct(o)
		g.resultStruct(o)
	}
	g.writeTable()
	g.text(typesRuntime().body)
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
		if d.extra != "" {
			g.flush()
			g.line("\n\t// Extra has the members that are none of these.")
			g.rows.add("Extra", "map[string]"+d.extra, "`json:\"-\"`")
		}
		g.flush()
		g.line("}")
	case union:
		g.line("type ", d.name, " struct{ json.RawMessage }")
	}
	g.line()
	g.methodsOf(d)
}

func (g *generator) field(f *field) {
	typ := f.typ.text
	omit := ""
	switch {
	case f.null:
		typ, omit = "Nullable["+typ+"]", "omitzero"
	case !f.required:
		omit = "omitempty"
	}
	if f.pointer {
		typ = "*" + typ
	}
	t, ok := tag(f.key, omit)
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

func (g *generator) paramsStruct(o *operation) {
	if len(o.params) == 0 {
		return
	}
	g.comment("", o.paramsType+" holds the parameters of", o.name+".")
	g.structOf(o.paramsType, o.params)
}

// partsStruct writes the struct of a body in fields and files.
func (g *generator) partsStruct(o *operation) {
	if b := &o.body; b.isParts() {
		g.comment("", b.partsType+" is the body of "+o.name+": its fields and files.", "")
		g.structOf(b.partsType, b.parts)
	}
}

func (g *generator) structOf(name string, fields []*param) {
	g.line("type ", name, " struct {")
	for _, p := range fields {
		if p.description != "" {
			g.flush()
			g.comment("\t", "", p.description)
		}
		g.rows.add(p.field, p.typ())
	}
	g.flush()
	g.line("}\n")
}

// resultStruct writes the struct of an operation that has several kinds of answers.
func (g *generator) resultStruct(o *operation) {
	if o.resultType == "" {
		return
	}
	g.comment("", o.resultType+" is the body of an answer of "+o.name+": one of its fields is set, which says the status.", "")
	g.line("type ", o.resultType, " struct {")
	for _, r := range o.responses {
		if r.field == "" {
			continue
		}
		typ := r.body.typ.text
		if r.body.isJSON {
			typ = "*" + typ
		}
		g.rows.add(r.field, typ)
	}
	g.flush()
	g.line("}\n")
}
