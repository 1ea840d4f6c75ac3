// Wrong: the Buffer is used after Share
package w09

import (
	"fmt"
	"github.com/poolproof/poolproof/buffer"
	"io"
)

var buffers = buffer.New(buffer.Options{})

func Send(w io.Writer, v any) (int, error) {
	b := buffers.Append()
	fmt.Fprint(b, v)
	s := b.Share()
	defer s.Release()
	n := b.Len() // want "PV001" b was given up by Share
	_, err := w.Write(s.Bytes())
	return n, err
}
