// Right: keep the smallest, put the other
package r04

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
		b := getBuf()
		fmt.Fprint(b, v)
		if best == nil || b.Len() < best.Len() {
			if best != nil {
				putBuf(best)
			}
			best = b
		} else {
			putBuf(b)
		}
	}
	if best == nil {
		return errors.New("nothing")
	}
	defer putBuf(best)
	_, err := w.Write(best.Bytes())
	return err
}
