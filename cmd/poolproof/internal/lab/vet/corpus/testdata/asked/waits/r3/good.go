// Right: wg.Go and Wait before the return
package r3

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

func Mirror(ws []io.Writer, v any) {
	buf := getBuf()
	defer putBuf(buf)
	fmt.Fprint(buf, v)
	var wg sync.WaitGroup
	for _, w := range ws {
		wg.Go(func() { w.Write(buf.Bytes()) })
	}
	wg.Wait()
}
