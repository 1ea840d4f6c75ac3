// Wrong: the function of Fill keeps its slice
package w16

import (
	"github.com/poolproof/poolproof/buffer"
	"io"
)

var buffers = buffer.New(buffer.Options{})

type conn struct {
	r    io.Reader
	last []byte
}

func (c *conn) read() (int, error) {
	b := buffers.Get(4096)
	defer b.Release()
	return b.Fill(func(p []byte) (int, error) {
		n, err := c.r.Read(p)
		c.last = p[:n] // want "PV014" memory of b
		return n, err
	})
}
