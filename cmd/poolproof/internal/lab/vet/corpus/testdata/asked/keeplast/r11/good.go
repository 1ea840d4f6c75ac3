// Right: window of two: prev and cur
package r11

import (
	"bytes"
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

func Deltas(w io.Writer, vs []any) {
	var prev *bytes.Buffer
	for _, v := range vs {
		cur := getBuf()
		fmt.Fprint(cur, v)
		if prev != nil {
			if !bytes.Equal(prev.Bytes(), cur.Bytes()) {
				w.Write(cur.Bytes())
			}
			putBuf(prev)
		}
		prev = cur
	}
	if prev != nil {
		putBuf(prev)
	}
}
