// Wrong: a Retain that nobody releases
package w10

import (
	"fmt"
	"github.com/poolproof/poolproof/buffer"
	"io"
)

var buffers = buffer.New(buffer.Options{})

func Fan(ws []io.Writer, v any) {
	b := buffers.Append()
	fmt.Fprint(b, v)
	s := b.Share()
	for _, w := range ws {
		r := s.Retain() // want "PV005" the reference is never given up (or PV006)
		go func() { w.Write(r.Bytes()) }()
	}
	s.Release()
}
