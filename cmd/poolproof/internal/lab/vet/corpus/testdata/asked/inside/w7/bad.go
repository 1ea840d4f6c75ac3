// Wrong: a captured variable is assigned in a range over a function that lends
package w7

import (
	"bufio"
	"bytes"
	"iter"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuf() *bytes.Buffer {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func putBuf(b *bytes.Buffer) { bufs.Put(b) }

func frames(r *bufio.Reader) iter.Seq[*bytes.Buffer] {
	return func(yield func(*bytes.Buffer) bool) {
		b := getBuf()
		defer putBuf(b)
		for {
			b.Reset()
			line, err := r.ReadSlice('\n')
			if err != nil {
				return
			}
			b.Write(line)
			if !yield(b) {
				return
			}
		}
	}
}

func First(r *bufio.Reader, prefix []byte) []byte {
	var found []byte
	for b := range frames(r) {
		if bytes.HasPrefix(b.Bytes(), prefix) {
			found = b.Bytes() // want "PV014" memory that frames has only lent
			break
		}
	}
	return found
}
