// Package codecreset encodes messages for a stream.
package codecreset

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

// Codec is used for one stream after another.
type Codec struct {
	name string
	seq  uint32
	bufs sync.Pool
}

// Reset makes c ready for the next stream.
func (c *Codec) Reset(name string) {
	c.name, c.seq = name, 0
	c.bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }} // want "PV009"
}

// Encode writes a message with its number.
func (c *Codec) Encode(w io.Writer, msg string) error {
	buf := c.bufs.Get().(*bytes.Buffer)
	defer c.bufs.Put(buf)
	buf.Reset()
	c.seq++
	fmt.Fprintf(buf, "%s/%d: %s\n", c.name, c.seq, msg)
	_, err := w.Write(buf.Bytes())
	return err
}
