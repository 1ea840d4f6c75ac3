package gen

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/systems/oas"
)

// enumValues returns the values of an enumeration of strings or of integers that its Go type
// can have.
func enumValues(s oas.Schema) (values []enumValue) {
	typ := s.Type()
	if format := s.Format(); typ != "integer" && typ != "string" || typ == "string" && (format == "date-time" || format == "byte" || format == "binary") {
		return nil
	}
	var names []string
	for n := range cmp.Or(s.Get("x-enum-varnames"), s.Get("x-enumNames")).All() {
		names = append(names, n.Str())
	}
	if len(names) != s.Get("enum").Len() {
		names = make([]string, s.Get("enum").Len())
	}
	i := -1
	for v := range s.Enum() {
		i++
		said := names[i]
		switch text := string(v.Raw()); {
		case typ == "string" && v.Kind() == oas.String:
			values = append(values, enumValue{cmp.Or(said, v.Str()), strconv.Quote(v.Str())})
		case typ == "integer" && v.Kind() == oas.Number && isInteger(text, conversion(s)):
			values = append(values, enumValue{cmp.Or(said, strings.Replace(text, "-", "minus ", 1)), text})
		}
	}
	return values
}

// isInteger reports whether the Go type of a conversion has the number.
func isInteger(text, conversion string) bool {
	var err error
	switch conversion {
	case "Int32":
		_, err = strconv.ParseInt(text, 10, 32)
	case "Uint32":
		_, err = strconv.ParseUint(text, 10, 32)
	case "Uint64":
		_, err = strconv.ParseUint(text, 10, 64)
	default:
		_, err = strconv.ParseInt(text, 10, 64)
	}
	return err == nil
}

// enum writes the type of an enumeration, and its constants.
func (g *generator) enum(d *decl) {
	g.line("type ", d.name, " ", d.typ.text, "\n")
	g.line("// The values of ", d.name, ".")
	seen := map[string]bool{}
	for _, v := range d.values {
		if seen[v.literal] {
			continue
		}
		seen[v.literal] = true
		words := exported(v.words)
		if first, last := v.words, d.name[len(d.name)-1]; first != "" && first[0] >= '0' && first[0] <= '9' && (last < '0' || last > '9') {
			words = words[1:] // without the N: after a letter a digit may stand
		}
		g.rows.add(unique(g.model.names, d.name+words), d.name, "= "+v.literal)
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
