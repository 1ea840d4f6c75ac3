// Right: endless loop with break at the end of the input
package r07

import (
	"bufio"
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

func Tail(r *bufio.Reader, w io.Writer) error {
	var last *bytes.Buffer
	for {
		b := getBuf()
		line, err := r.ReadSlice('\n')
		b.Write(line)
		if err != nil {
			putBuf(b)
			break
		}
		if last != nil {
			putBuf(last)
		}
		last = b
	}
	if last != nil {
		w.Write(last.Bytes())
		putBuf(last)
	}
	return nil
}
