// Wrong: comma-ok Get: memory returned under a deferred put
package w1

import (
	"bytes"
	"fmt"
	"sync"
)

var bufs sync.Pool

func Encode(v any) []byte {
	b, ok := bufs.Get().(*bytes.Buffer)
	if !ok {
		b = new(bytes.Buffer)
	}
	defer bufs.Put(b)
	b.Reset()
	fmt.Fprint(b, v)
	return b.Bytes() // want "PV003" memory of b
}
