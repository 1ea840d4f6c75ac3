// Right: fmt.Errorf copies
package r4

import (
	"bytes"
	"encoding/json"
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

func Check(r io.Reader) error {
	b := getBuf()
	defer putBuf(b)
	if _, err := b.ReadFrom(r); err != nil {
		return err
	}
	if !json.Valid(b.Bytes()) {
		return fmt.Errorf("not JSON: %.20q", b.Bytes())
	}
	return nil
}
