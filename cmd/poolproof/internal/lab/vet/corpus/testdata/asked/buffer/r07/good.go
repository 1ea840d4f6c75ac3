// Right: the buffer grows, is reset and used again
package r07

import (
	"fmt"
	"github.com/poolproof/poolproof/buffer"
	"io"
)

var buffers = buffer.New(buffer.Options{})

func Pump(in <-chan any, w io.Writer) error {
	b := buffers.Append()
	defer b.Release()
	for v := range in {
		b.Reset()
		fmt.Fprint(b, v)
		b.Grow(16)
		b.WriteByte('\n')
		if _, err := b.WriteTo(w); err != nil {
			return err
		}
	}
	return nil
}
