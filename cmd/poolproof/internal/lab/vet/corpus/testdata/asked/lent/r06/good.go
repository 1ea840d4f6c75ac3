// Right: a pooled buffer is lent to a pooled struct, then read, then put
package r06

import (
	"bytes"
	"io"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuf() *bytes.Buffer {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func putBuf(b *bytes.Buffer) { bufs.Put(b) }

type parser struct {
	in    []byte
	words int
}

var parsers = sync.Pool{New: func() any { return new(parser) }}

func Words(w io.Writer, r io.Reader) (int, error) {
	b := getBuf()
	defer putBuf(b)
	if _, err := b.ReadFrom(r); err != nil {
		return 0, err
	}
	p := parsers.Get().(*parser)
	p.in = b.Bytes()
	p.words = len(bytes.Fields(p.in))
	n := p.words
	p.in = nil
	parsers.Put(p)
	_, err := b.WriteTo(w)
	return n, err
}
