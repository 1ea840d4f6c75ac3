// Wrong: Own gives the Shared up
package w22

import (
	"github.com/poolproof/poolproof/buffer"
	"io"
)

var buffers = buffer.New(buffer.Options{})

func Stamp(w io.Writer, s *buffer.Shared) error {
	b := s.Own()
	defer b.Release()
	b.WriteString("\n")
	if _, err := w.Write(s.Bytes()); err != nil { // want "PV001" Own has given s up
		return err
	}
	return nil
}
