// Wrong: the usual mistake of the guide
package w01

import (
	"github.com/poolproof/poolproof/buffer"
	"io"
)

var buffers = buffer.New(buffer.Options{})

func header(r io.Reader) ([]byte, error) {
	b := buffers.Get(64)
	defer b.Release()
	_, err := b.Fill(r.Read)
	return b.Bytes(), err // want "PV003" memory that has been released
}
