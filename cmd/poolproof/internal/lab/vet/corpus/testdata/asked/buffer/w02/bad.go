// Wrong: a slice of Bytes is used after a Write that may grow
package w02

import (
	"encoding/binary"
	"github.com/poolproof/poolproof/buffer"
	"io"
)

var buffers = buffer.New(buffer.Options{})

func Frame(w io.Writer, payload []byte) error {
	b := buffers.Append()
	defer b.Release()
	b.Write(make([]byte, 4))
	head := b.Bytes()
	b.Write(payload)
	binary.BigEndian.PutUint32(head, uint32(b.Len())) // want "PV001" Write may have moved b
	_, err := w.Write(b.Bytes())
	return err
}
