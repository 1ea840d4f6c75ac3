// Wrong: callee puts if it fails only, caller loses b on success
package w4

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

func check(b *bytes.Buffer) error {
	err := json.Compact(b, []byte("{}"))
	if err != nil {
		putBuf(b)
		return err
	}
	return nil
}

func Send(w io.Writer, s string) error {
	b := getBuf()
	b.WriteString(s)
	if err := check(b); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err // want "PV005" b is lost: check has put it only where it failed
}
