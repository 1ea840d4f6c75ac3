// Right: comma-ok Get
package r1

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
	defer bufs.Put(b)
	b.Reset()
	if err := json.NewEncoder(b).Encode(v); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}
