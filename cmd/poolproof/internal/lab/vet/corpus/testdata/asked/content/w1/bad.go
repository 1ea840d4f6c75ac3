// Wrong: a test of the bytes does not excuse a loss
package w1

import (
	"bytes"
	"errors"
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

var magic = []byte("PK")

func Check(r io.Reader) (int, error) {
	b := getBuf()
	if _, err := b.ReadFrom(r); err != nil {
		putBuf(b)
		return 0, err
	}
	if !bytes.HasPrefix(b.Bytes(), magic) {
		return 0, errors.New("bad magic") // want "PV005" b is lost here
	}
	n := b.Len()
	putBuf(b)
	return n, nil
}
