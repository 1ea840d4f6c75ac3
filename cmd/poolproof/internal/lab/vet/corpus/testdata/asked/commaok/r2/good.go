// Right: comma-ok Get in an if
package r2

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

var bufs sync.Pool

func Encode(w io.Writer, v any) error {
	var b *bytes.Buffer
	if x, _ := bufs.Get().(*bytes.Buffer); x != nil {
		b = x
		b.Reset()
	} else {
		b = bytes.NewBuffer(make([]byte, 0, 1024))
	}
	fmt.Fprint(b, v)
	_, err := w.Write(b.Bytes())
	bufs.Put(b)
	return err
}
