// Package tokenparse reads settings of the form "name = value; name = value".
package tokenparse

import (
	"fmt"
	"strings"
	"sync"
)

type parser struct {
	in       string
	line     int
	warnings []string
}

var parsers = sync.Pool{New: func() any { return new(parser) }}

func (p *parser) start(in string) {
	p.in, p.line = in, 1
	clear(p.warnings)
	p.warnings = p.warnings[:0]
}

// Result is what Parse has found.
type Result struct {
	Values   map[string]string
	Warnings string
}

// Parse reads in.
func Parse(in string) Result {
	p := parsers.Get().(*parser)
	defer parsers.Put(p)
	p.start(in)
	res := Result{Values: make(map[string]string)}
	for p.in != "" {
		p.statement(res.Values)
	}
	res.Warnings = strings.Join(p.warnings, "\n")
	return res
}

func (p *parser) statement(values map[string]string) {
	st, rest, _ := strings.Cut(p.in, ";")
	p.in = rest
	defer func() { p.line += strings.Count(st, "\n") }()
	name, value, ok := strings.Cut(st, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	switch {
	case name == "" && !ok:
		return
	case name == "":
		p.warn("no name before =")
	case !ok:
		p.warn("no value for " + name)
	default:
		values[name] = value
	}
}

func (p *parser) warn(text string) {
	p.warnings = append(p.warnings, fmt.Sprintf("line %d: %s", p.line, text))
}
