// Wrong: the bytes of a Shared are written
package w07

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
	defer s.Release()
	for i, w := range ws {
		p := s.Bytes()
		p[0] = byte(i) // want "PV022" the bytes are read-only
		w.Write(p)
	}
}
