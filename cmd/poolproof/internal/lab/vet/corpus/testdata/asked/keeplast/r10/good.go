// Right: retries: the failed one is put at the start of the next round
package r10

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

func Fetch(w io.Writer, try func(io.Writer) error) error {
	var b *bytes.Buffer
	var err error
	for i := 0; i < 3; i++ {
		if b != nil {
			putBuf(b)
		}
		b = getBuf()
		if err = try(b); err == nil {
			break
		}
	}
	if err == nil {
		_, err = w.Write(b.Bytes())
	}
	putBuf(b)
	return err
}
