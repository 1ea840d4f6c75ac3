// Wrong: deferred literal puts if err != nil, beside an explicit put of that path
package w3

import (
	"bytes"
	"encoding/json"
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

func Encode(w io.Writer, v any) (err error) {
	b := getBuf()
	defer func() {
		if err != nil {
			putBuf(b)
		}
	}()
	if err = json.NewEncoder(b).Encode(v); err != nil {
		putBuf(b) // want "PV002" the deferred literal puts b too, err is not nil
		return err
	}
	w.Write(b.Bytes())
	putBuf(b)
	return nil
}
