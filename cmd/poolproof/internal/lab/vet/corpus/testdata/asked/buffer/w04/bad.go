// Wrong: Release twice
package w04

import (
	"fmt"
	"github.com/poolproof/poolproof/buffer"
	"io"
)

var buffers = buffer.New(buffer.Options{})

func Send(w io.Writer, v any) error {
	b := buffers.Append()
	defer b.Release()
	if _, err := fmt.Fprint(b, v); err != nil {
		b.Release() // want "PV002" the deferred Release panics
		return err
	}
	_, err := b.WriteTo(w)
	return err
}
