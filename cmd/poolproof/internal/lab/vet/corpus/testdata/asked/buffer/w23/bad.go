// Wrong: a lazy reader over the bytes is returned
package w23

import (
	"bytes"
	"github.com/poolproof/poolproof/buffer"
	"io"
)

var buffers = buffer.New(buffer.Options{})

func Open(r io.Reader) (io.Reader, error) {
	b := buffers.Append()
	defer b.Release()
	if _, err := b.ReadFrom(r); err != nil {
		return nil, err
	}
	return io.LimitReader(bytes.NewReader(b.Bytes()), 100), nil // want "PV003" memory of b
}
