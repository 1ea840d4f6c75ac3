// Wrong: bytes of a Shared after Release
package w08

import (
	"fmt"
	"github.com/poolproof/poolproof/buffer"
	"io"
)

var buffers = buffer.New(buffer.Options{})

func Send(w io.Writer, v any) error {
	b := buffers.Append()
	fmt.Fprint(b, v)
	s := b.Share()
	p := s.Bytes()
	s.Release()
	_, err := w.Write(p) // want "PV001" s was released
	return err
}
