// Wrong: early return before a receive
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

func Mirror(a, b io.Writer, v any) error {
	buf := getBuf()
	defer putBuf(buf)
	fmt.Fprint(buf, v)
	done := make(chan error, 1)
	go func() { // want "PV004" still reads buf after the early return below
		_, err := b.Write(buf.Bytes())
		done <- err
	}()
	if _, err := a.Write(buf.Bytes()); err != nil {
		return err
	}
	return <-done
}
