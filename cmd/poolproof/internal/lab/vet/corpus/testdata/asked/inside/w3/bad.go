// Wrong: memory in an error value
package w3

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

type SyntaxError struct {
	Offset int
	Near   []byte
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("at %d: near %q", e.Offset, e.Near) }

func Check(r io.Reader) error {
	b := getBuf()
	defer putBuf(b)
	if _, err := b.ReadFrom(r); err != nil {
		return err
	}
	if i := bytes.IndexByte(b.Bytes(), 0); i >= 0 {
		return &SyntaxError{Offset: i, Near: b.Bytes()[:i]} // want "PV003" Near is memory of b
	}
	return nil
}
