// Wrong: used after Free
package w12

import (
	"github.com/poolproof/poolproof/buffer"
	"io"
)

var buffers = buffer.New(buffer.Options{})

func Read(r io.Reader) (byte, error) {
	b := buffers.Bytes(1024)
	_, err := io.ReadFull(r, b)
	buffers.Free(b)
	return b[0], err // want "PV001" b was freed
}
