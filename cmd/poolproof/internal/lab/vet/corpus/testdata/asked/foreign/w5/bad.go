// Wrong: a foreign caller's object, an exported function of a package that gets and puts itself
package w5

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

// Compact shortens JSON in place and writes it to w. The caller keeps src.
func Compact(w io.Writer, src *bytes.Buffer) error {
	dst := getBuf()
	if err := json.Compact(dst, src.Bytes()); err != nil {
		putBuf(dst)
		return err
	}
	_, err := dst.WriteTo(w)
	putBuf(src) // want "PV021" src is the caller's; dst is lost (PV005)
	return err
}
