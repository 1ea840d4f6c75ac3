// Wrong: own lazy reader over pooled memory
package w8

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

type upper struct{ src []byte }

func (u *upper) Read(p []byte) (int, error) {
	if len(u.src) == 0 {
		return 0, io.EOF
	}
	n := copy(p, bytes.ToUpper(u.src))
	u.src = u.src[n:]
	return n, nil
}

func Upper(r io.Reader) (io.Reader, error) {
	b := getBuf()
	_, err := b.ReadFrom(r)
	u := &upper{src: b.Bytes()}
	putBuf(b)
	return u, err // want "PV001" u reads memory of b, which was put (or PV003)
}
