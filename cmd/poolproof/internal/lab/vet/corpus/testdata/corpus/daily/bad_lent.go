package daily

import (
	"bytes"
	"sync"
)

// What the parser unescapes is its own memory, and is returned after the parser was put.
type parser struct {
	src []byte
	out []byte
}

var parsers = sync.Pool{New: func() any { return new(parser) }}

func (p *parser) unescape(src []byte) []byte {
	p.src, p.out = src, p.out[:0]
	for i := 0; i < len(p.src); i++ {
		if p.src[i] == '\\' && i+1 < len(p.src) {
			i++
		}
		p.out = append(p.out, p.src[i])
	}
	return p.out
}

func Unescape(src []byte) []byte {
	p := parsers.Get().(*parser)
	defer func() {
		p.src = nil
		parsers.Put(p)
	}()
	return p.unescape(src) // want "PV003"
}

// A reader is returned that reads from a buffer which goes back to its pool.
var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type Document struct {
	title string
	body  *bytes.Reader
}

func Open(title string, render func(*bytes.Buffer) error) (*Document, error) {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	defer bufs.Put(b)
	if err := render(b); err != nil {
		return nil, err
	}
	d := &Document{title: title}
	d.body = bytes.NewReader(b.Bytes())
	return d, nil // want "PV003|PV004"
}
