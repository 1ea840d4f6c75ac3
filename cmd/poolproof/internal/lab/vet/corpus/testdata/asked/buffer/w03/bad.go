// Wrong: used after Release
package w03

import (
	"fmt"
	"github.com/poolproof/poolproof/buffer"
	"io"
)

var buffers = buffer.New(buffer.Options{})

func Send(w io.Writer, v any) error {
	b := buffers.Append()
	fmt.Fprint(b, v)
	b.Release()
	_, err := b.WriteTo(w) // want "PV001" b was released
	return err
}
