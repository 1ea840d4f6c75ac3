package gen

import "strconv"

// methodsOf writes the methods of a declaration.
func (g *generator) methodsOf(d *decl) {
	if d.form == alias {
		return
	}
	if d.form == union {
		g.accessors(d)
	}
	if d.form == structure {
		g.marshal(d)
	}
	if d.schemaKey == "" {
		return
	}
	g.line("// Valid returns an *InvalidError if v breaks its schema.\nfunc (v ", d.name, ") Valid() error {\n\treturn valid(", quote(d.schemaKey), ", v)\n}\n")
}

// marshal writes the methods by which a struct keeps members that are no properties,
// and writes no null where a list has to be.
func (g *generator) marshal(d *decl) {
	lists := false
	for _, f := range d.fields {
		lists = lists || f.empty != ""
	}
	if !lists && d.extra == "" {
		return
	}
	g.line("// MarshalJSON writes v, with [] or {} for a list or a map that is required and nil.\nfunc (v ", d.name, ") MarshalJSON() ([]byte, error) {\n\ttype plain ", d.name)
	for _, f := range d.fields {
		if f.empty != "" {
			g.line("\tif v.", f.name, " == nil {\n\t\tv.", f.name, " = ", f.empty, "\n\t}")
		}
	}
	if d.extra == "" {
		g.line("\treturn json.Marshal(plain(v))\n}\n")
		return
	}
	g.text("\treturn withExtra(plain(v), v.Extra")
	g.known(d)
	g.line(")\n}\n")
	g.line("// UnmarshalJSON reads v, and the members that it has no fields for into Extra.\nfunc (v *", d.name, ") UnmarshalJSON(b []byte) error {\n\ttype plain ", d.name,
		"\n\tif err := json.Unmarshal(b, (*plain)(v)); err != nil {\n\t\treturn err\n\t}")
	g.text("\treturn others(b, &v.Extra")
	g.known(d)
	g.line(")\n}\n")
}

// known writes the keys for which a struct has fields, as arguments.
func (g *generator) known(d *decl) {
	for _, f := range d.fields {
		if _, ok := tag(f.key, ""); ok {
			g.text(", ", quote(f.key))
		}
	}
}

// accessors writes the methods of a type that may be one of several.
func (g *generator) accessors(d *decl) {
	for _, v := range d.variants {
		g.line("// As", v.name, " returns v as that, and an error if v is something else.\nfunc (v ", d.name, ") As", v.name, "() (", v.typ.text, ", error) {\n\treturn as[", v.typ.text, "](v.RawMessage, ", quote(v.key), ")\n}\n")
		key, value := "", ""
		if len(v.values) > 0 {
			key, value = d.tag, v.values[0]
		}
		g.line("// Set", v.name, " makes v that.\nfunc (v *", d.name, ") Set", v.name, "(to ", v.typ.text, ") error {\n\treturn hold(&v.RawMessage, to, ", quote(key), ", ", quote(value), ")\n}\n")
	}
	if d.tag != "" {
		g.line("// Discriminator returns the member ", strconv.Quote(d.tag), ", which says what v is.\nfunc (v ", d.name, ") Discriminator() string {\n\treturn discriminator(v.RawMessage, ", quote(d.tag), ")\n}\n")
	}
	g.line("// Value returns v as the first type that it is.\nfunc (v ", d.name, ") Value() (any, error) {")
	if d.tag != "" {
		seen := map[string]bool{}
		g.line("\tswitch v.Discriminator() {")
		for _, variant := range d.variants {
			for _, value := range variant.values {
				if !seen[value] {
					seen[value] = true
					g.line("\tcase ", quote(value), ":\n\t\treturn v.As", variant.name, "()")
				}
			}
		}
		g.line("\t}")
	}
	for _, variant := range d.variants {
		g.line("\tif out, err := v.As", variant.name, "(); err == nil {\n\t\treturn out, nil\n\t}")
	}
	g.line("\treturn nil, &InvalidError{Message: \"it is none of the types of ", d.name, "\"}\n}\n")
}
