// Wrong: comma-ok Get in a helper; never put by the caller
package w4

import (
	"bytes"
	"fmt"
	"sync"
)

var bufs sync.Pool

func get() *bytes.Buffer {
	if b, ok := bufs.Get().(*bytes.Buffer); ok {
		b.Reset()
		return b
	}
	return new(bytes.Buffer)
}

func put(b *bytes.Buffer) { bufs.Put(b) }

func Size(v any) int {
	b := get() // want "PV006" nothing puts b
	fmt.Fprint(b, v)
	return b.Len()
}

func Encode(v any) string {
	b := get()
	defer put(b)
	fmt.Fprint(b, v)
	return b.String()
}
