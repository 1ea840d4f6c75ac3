// Right: AvailableBuffer, then Write at once
package r05

import (
	"github.com/poolproof/poolproof/buffer"
	"io"
	"strconv"
)

var buffers = buffer.New(buffer.Options{})

func Encode(w io.Writer, n int64, name string) error {
	b := buffers.Append()
	defer b.Release()
	b.WriteString(name)
	b.Write(strconv.AppendInt(b.AvailableBuffer(), n, 10))
	_, err := b.WriteTo(w)
	return err
}
