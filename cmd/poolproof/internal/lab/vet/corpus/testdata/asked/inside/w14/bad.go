// Wrong: context.WithValue keeps memory of the buffer
package w14

import (
	"bytes"
	"context"
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

type key struct{}

func WithTrace(ctx context.Context, id uint64) context.Context {
	b := getBuf()
	defer putBuf(b)
	fmt.Fprintf(b, "%016x", id)
	return context.WithValue(ctx, key{}, b.Bytes()) // want "PV003" the context holds memory of b
}
