// Wrong: an error made by a constructor that keeps its argument
package w4

import (
	"bytes"
	"encoding/hex"
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

type protoError struct{ frame []byte }

func (e protoError) Error() string { return "bad frame " + hex.EncodeToString(e.frame) }

func badFrame(frame []byte) error { return protoError{frame: frame} }

func Check(r io.Reader) error {
	b := getBuf()
	defer putBuf(b)
	if _, err := b.ReadFrom(r); err != nil {
		return err
	}
	if b.Len() > 0 && b.Bytes()[0] != 1 {
		return fmt.Errorf("check: %w", badFrame(b.Bytes())) // want "PV003" the wrapped error holds memory of b
	}
	return nil
}
