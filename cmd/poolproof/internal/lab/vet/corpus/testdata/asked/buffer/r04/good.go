// Right: slices are taken again after a Write
package r04

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
	b.Write(payload)
	head := b.Bytes()[:4]
	binary.BigEndian.PutUint32(head, uint32(b.Len()))
	_, err := w.Write(b.Bytes())
	return err
}
