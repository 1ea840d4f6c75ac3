// Package tokens parses a small language.
package tokens

import (
	"errors"
	"sync"
)

type parser struct {
	src    []byte
	pos    int
	strict bool
	depth  int
	toks   [][]byte
}

var parsers = sync.Pool{New: func() any { return new(parser) }}

type Option func(*parser)

func Strict(p *parser) { p.strict = true }

func Parse(src []byte, opts ...Option) ([][]byte, error) {
	p := parsers.Get().(*parser)
	p.src, p.pos, p.depth = src, 0, 0
	p.toks = p.toks[:0]
	for _, o := range opts {
		o(p)
	}
	defer parsers.Put(p)
	for p.next() {
		if p.strict && p.depth > 10 { // want "PV011"
			return nil, errors.New("too deep")
		}
	}
	return p.toks, nil // want "PV003"
}

func (p *parser) next() bool {
	start := p.pos
	for p.pos < len(p.src) && p.src[p.pos] != ' ' {
		if p.src[p.pos] == '(' {
			p.depth++
		}
		p.pos++
	}
	if start == p.pos {
		return false
	}
	p.toks = append(p.toks, p.src[start:p.pos])
	p.pos++
	return true
}
