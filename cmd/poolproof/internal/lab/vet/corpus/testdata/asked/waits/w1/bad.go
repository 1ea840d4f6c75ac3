// Wrong: early return before wg.Wait
package w1

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
	var wg sync.WaitGroup
	wg.Add(1)
	go func() { // want "PV004" still reads buf after the early return below
		defer wg.Done()
		b.Write(buf.Bytes())
	}()
	if _, err := a.Write(buf.Bytes()); err != nil {
		return err
	}
	wg.Wait()
	return nil
}
