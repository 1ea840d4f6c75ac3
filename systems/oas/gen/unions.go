package gen

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/systems/oas"
)

// isUnion reports whether a schema may be one of several types.
func (m *model) isUnion(s oas.Schema) bool {
	if s.Kind() != oas.Object || s.Get("oneOf").Len()+s.Get("anyOf").Len() < 2 {
		return false
	}
	if _, isRef := s.Ref(); isRef {
		return false
	}
	_, only := m.only(s)
	return !only
}

// union finds out which types a value of a declaration may have.
func (m *model) union(d *decl) {
	d.form = union
	discriminator := d.schema.Get("discriminator")
	d.tag = discriminator.Get("propertyName").Str()
	taken := names{"Valid": 1, "MarshalJSON": 1, "UnmarshalJSON": 1, "Discriminator": 1, "Value": 1, "RawMessage": 1}
	index := 0
	for _, key := range []string{"oneOf", "anyOf"} {
		for e := range d.schema.Get(key).All() {
			if index++; e.Get("type").Is("null") {
				continue
			}
			s := oas.Schema{Node: e}
			title := cmp.Or(s.Title(), "Variant"+strconv.Itoa(index))
			v := variant{typ: m.typeOf(s, d.name+exported(title)), key: m.schemaKey(e)}
			name := v.typ.text
			for strings.HasPrefix(name, "[]") && name != "[]byte" {
				name = name[2:] + " list"
			}
			if name == "any" {
				name = title
			}
			v.name = unique(taken, strings.TrimPrefix(exported(strings.ReplaceAll(name, "map[string]", "map of ")), "Any"))
			if ref, ok := e.Ref(); ok && d.tag != "" {
				target := m.resolve(e)
				for known := range discriminator.Get("mapping").All() {
					if known.Is(ref) || known.Is(target.Key()) {
						v.values = append(v.values, known.Key())
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
