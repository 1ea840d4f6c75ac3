// Right: Own, Slice
package r03

import (
	"github.com/poolproof/poolproof/buffer"
	"io"
)

var buffers = buffer.New(buffer.Options{})

func Stamp(w io.Writer, s *buffer.Shared) error {
	head := s.Slice(0, 4)
	defer head.Release()
	b := s.Own()
	defer b.Release()
	b.WriteString("\n")
	if _, err := w.Write(head.Bytes()); err != nil {
		return err
	}
	_, err := b.WriteTo(w)
	return err
}
