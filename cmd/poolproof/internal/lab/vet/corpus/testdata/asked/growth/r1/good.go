// Right: the view is taken again after the growth
package r1

import (
	"bytes"
	"encoding/binary"
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

func Frame(dst io.Writer, parts [][]byte) error {
	b := getBuf()
	b.Write(make([]byte, 4))
	for _, p := range parts {
		if b.Available() < len(p) {
			next := getBuf()
			next.Grow(2*b.Len() + len(p))
			next.Write(b.Bytes())
			putBuf(b)
			b = next
		}
		b.Write(p)
	}
	binary.BigEndian.PutUint32(b.Bytes()[:4], uint32(b.Len()))
	_, err := dst.Write(b.Bytes())
	putBuf(b)
	return err
}
