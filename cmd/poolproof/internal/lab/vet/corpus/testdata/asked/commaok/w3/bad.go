// Wrong: comma-ok Get in an if: used after put
package w3

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

var bufs sync.Pool

func Encode(w io.Writer, v any) error {
	if b, ok := bufs.Get().(*bytes.Buffer); ok {
		b.Reset()
		fmt.Fprint(b, v)
		bufs.Put(b)
		_, err := w.Write(b.Bytes()) // want "PV001" b was put on the line above
		return err
	}
	_, err := fmt.Fprint(w, v)
	return err
}
