// Wrong: Put of a resliced field in a pool of slices of the library
package w4

import (
	"github.com/poolproof/poolproof/buffer"
	"io"
)

var pool = buffer.New(buffer.Options{})

type chunk struct{ data []byte }

func Read(r io.Reader) (byte, error) {
	c := chunk{data: pool.Bytes(1024)}
	if _, err := io.ReadFull(r, c.data[:8]); err != nil {
		pool.Free(c.data)
		return 0, err
	}
	c.data = c.data[8:]
	x := c.data[0]
	pool.Free(c.data) // want "PV013" Free refuses what was cut at its start
	return x, nil
}
