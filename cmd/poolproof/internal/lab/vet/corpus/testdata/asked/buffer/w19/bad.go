// Wrong: an append replaces the slice that is freed
package w19

import (
	"github.com/poolproof/poolproof/buffer"
	"io"
)

var buffers = buffer.New(buffer.Options{})

func Join(w io.Writer, parts [][]byte) error {
	b := buffers.Bytes(1024)
	defer buffers.Free(b) // want "PV013" frees the old b, not what it grew to
	b = b[:0]
	for _, p := range parts {
		b = append(b, p...)
	}
	_, err := w.Write(b)
	return err
}
