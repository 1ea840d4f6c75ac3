// Wrong: lost on an error
package w15

import (
	"github.com/poolproof/poolproof/buffer"
	"io"
)

var buffers = buffer.New(buffer.Options{})

func Send(w io.Writer, r io.Reader) error {
	b := buffers.Get(4096)
	if _, err := b.Fill(r.Read); err != nil {
		return err // want "PV005" b is lost
	}
	_, err := b.WriteTo(w)
	b.Release()
	return err
}
