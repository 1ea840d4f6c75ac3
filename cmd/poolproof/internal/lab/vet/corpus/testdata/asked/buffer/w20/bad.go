// Wrong: Get(n) followed by Write panics in every build
package w20

import (
	"github.com/poolproof/poolproof/buffer"
	"io"
)

var buffers = buffer.New(buffer.Options{})

func Encode(w io.Writer, p []byte) error {
	b := buffers.Get(len(p))
	defer b.Release()
	b.Write(p) // it panics, which no check promises to find
	_, err := b.WriteTo(w)
	return err
}
