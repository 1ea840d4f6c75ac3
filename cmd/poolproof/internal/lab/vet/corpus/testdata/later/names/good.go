// Package names is right.
package names

import (
	"errors"
	"sync"
)

type parser struct {
	src   []byte
	pos   int
	deep  bool
	names []string
}

var parsers = sync.Pool{New: func() any { return new(parser) }}

func (p *parser) reset(src []byte) {
	p.src, p.pos, p.deep = src, 0, false
	clear(p.names)
	p.names = p.names[:0]
}

var ErrEnd = errors.New("unexpected end")

func Parse(src []byte, deep bool) (names []string, err error) {
	p := parsers.Get().(*parser)
	p.reset(src)
	if deep {
		p.deep = true
	}
	defer func() {
		p.src = nil
		parsers.Put(p)
	}()
	if err := p.run(); err != nil {
		return nil, err
	}
	return append(names, p.names...), nil
}

func (p *parser) run() error {
	for p.pos < len(p.src) {
		if p.deep && p.src[p.pos] == '(' {
			return ErrEnd
		}
		p.names = append(p.names, string(p.src[p.pos:p.pos+1]))
		p.pos++
	}
	return nil
}
