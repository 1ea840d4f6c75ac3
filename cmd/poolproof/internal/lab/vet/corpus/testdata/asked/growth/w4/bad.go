// Wrong: grow within one function: the view is older than the put
package w4

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
	head := b.Bytes()[:4]
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
	binary.BigEndian.PutUint32(head, uint32(b.Len())) // want "PV001" head is memory of a buffer that was put
	_, err := dst.Write(b.Bytes())
	putBuf(b)
	return err
}
