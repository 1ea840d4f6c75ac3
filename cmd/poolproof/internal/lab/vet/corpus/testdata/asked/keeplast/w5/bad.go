// Wrong: the best is kept, the worse one lost
package w5

import (
	"bytes"
	"errors"
	"fmt"
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

func Best(w io.Writer, vs []any) error {
	var best *bytes.Buffer
	for _, v := range vs {
		b := getBuf() // want "PV005" lost in the round if it is not the best
		fmt.Fprint(b, v)
		if best == nil || b.Len() < best.Len() {
			if best != nil {
				putBuf(best)
			}
			best = b
		}
	}
	if best == nil {
		return errors.New("nothing")
	}
	_, err := w.Write(best.Bytes())
	putBuf(best)
	return err
}
