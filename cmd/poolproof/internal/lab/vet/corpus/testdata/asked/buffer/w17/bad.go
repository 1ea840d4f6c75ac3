// Wrong: a Clone is never released
package w17

import (
	"fmt"
	"github.com/poolproof/poolproof/buffer"
	"io"
)

var buffers = buffer.New(buffer.Options{})

func Send(w io.Writer, v any) error {
	b := buffers.Append()
	defer b.Release()
	fmt.Fprint(b, v)
	c := b.Clone() // want "PV006" the clone is never released
	c.WriteString("\n")
	_, err := c.WriteTo(w)
	return err
}
