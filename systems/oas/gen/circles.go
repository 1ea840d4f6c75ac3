package gen

// cutCircles makes a pointer of each field by which a struct would hold itself,
// and any of an alias that is one of itself: neither compiles.
func (m *model) cutCircles() {
	for _, d := range m.decls {
		end := d
		for n := 0; end != nil && end.form == alias; n++ {
			if n > len(m.decls) {
				d.typ = anyType
				m.note(d.schema.Node, "it becomes any: it refers to itself")
				break
			}
			end = end.typ.target
		}
	}
	for _, d := range m.decls {
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
