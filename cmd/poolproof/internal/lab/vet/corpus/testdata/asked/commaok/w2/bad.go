// Wrong: comma-ok Get: lost on an error
package w2

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"
)

var bufs sync.Pool

func Encode(w io.Writer, v any) error {
	b, ok := bufs.Get().(*bytes.Buffer)
	if !ok {
		b = new(bytes.Buffer)
	}
	b.Reset()
	if err := json.NewEncoder(b).Encode(v); err != nil {
		return err // want "PV005" b is lost
	}
	_, err := w.Write(b.Bytes())
	bufs.Put(b)
	return err
}
