// Wrong: AvailableBuffer is used after a Write
package w21

import (
	"github.com/poolproof/poolproof/buffer"
	"io"
	"strconv"
)

var buffers = buffer.New(buffer.Options{})

func Encode(w io.Writer, n int64, name string) error {
	b := buffers.Append()
	defer b.Release()
	num := strconv.AppendInt(b.AvailableBuffer(), n, 10)
	b.WriteString(name)
	b.Write(num) // want "PV001" the Write of name may have moved b, and lies over num
	_, err := b.WriteTo(w)
	return err
}
