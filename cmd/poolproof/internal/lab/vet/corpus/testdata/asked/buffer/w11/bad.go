// Wrong: Free of a slice that was cut at its start
package w11

import (
	"encoding/binary"
	"github.com/poolproof/poolproof/buffer"
	"io"
)

var buffers = buffer.New(buffer.Options{})

func Read(r io.Reader) (sum int, err error) {
	b := buffers.Bytes(1024)
	n, err := r.Read(b)
	b = b[:n]
	for len(b) >= 2 {
		sum += int(binary.BigEndian.Uint16(b))
		b = b[2:]
	}
	buffers.Free(b) // want "PV013" Free refuses what was cut at its start
	return sum, err
}
