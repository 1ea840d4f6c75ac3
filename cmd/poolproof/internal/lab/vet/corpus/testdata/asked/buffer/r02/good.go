// Right: Share, Retain, Release in goroutines
package r02

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
		r := s.Retain()
		go func() {
			defer r.Release()
			w.Write(r.Bytes())
		}()
	}
	s.Release()
}
