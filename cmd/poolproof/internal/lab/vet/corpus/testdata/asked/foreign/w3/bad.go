// Wrong: an encoder puts the buffer of its caller, who goes on with it
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

func encode(b *bytes.Buffer, v any) error {
	defer putBuf(b)
	return json.NewEncoder(b).Encode(v)
}

func Send(w io.Writer, v any) error {
	var b bytes.Buffer
	if err := encode(&b, v); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes()) // want "PV001" encode has put b
	return err
}
