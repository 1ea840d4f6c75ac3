// Wrong: sync.Map.Swap keeps memory of the buffer
package w10

import (
	"bytes"
	"fmt"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuf() *bytes.Buffer {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func putBuf(b *bytes.Buffer) { bufs.Put(b) }

var cache sync.Map

func Put(key string, v any) {
	b := getBuf()
	fmt.Fprint(b, v)
	cache.Swap(key, b.Bytes()) // want "PV004" the map keeps memory of b
	putBuf(b)
}
