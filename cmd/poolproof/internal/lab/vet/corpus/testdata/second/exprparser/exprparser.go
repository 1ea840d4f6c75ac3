// Package exprparser evaluates sums.
package exprparser

import (
	"fmt"
	"strconv"
	"sync"
)

type parser struct {
	in  string
	pos int
}

var parsers sync.Pool

func newParser(in string) *parser {
	if v := parsers.Get(); v != nil {
		p := v.(*parser)
		p.in, p.pos = in, 0
		return p
	}
	return &parser{in: in}
}

func (p *parser) release() { p.in = ""; parsers.Put(p) }

func (p *parser) number() (int, error) {
	start := p.pos
	for p.pos < len(p.in) && p.in[p.pos] >= '0' && p.in[p.pos] <= '9' {
		p.pos++
	}
	return strconv.Atoi(p.in[start:p.pos])
}

// Eval returns the sum.
func Eval(in string) (sum int, err error) {
	p := newParser(in)
	defer p.release()
	for {
		n, err := p.number()
		if err != nil {
			return 0, err
		}
		sum += n
		if p.pos == len(p.in) {
			return sum, nil
		}
		if p.in[p.pos] != '+' {
			return 0, fmt.Errorf("unexpected %q", p.in[p.pos])
		}
		p.pos++
	}
}
