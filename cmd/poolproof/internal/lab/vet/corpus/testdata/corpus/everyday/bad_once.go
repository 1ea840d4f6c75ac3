package everyday

import (
	"bytes"
	"io"
	"net"
	"sync"
)

// Each change of the writer gets another buffer.
func copyEach(in []io.Reader, next func() io.Writer) error {
	var w io.Writer
	for _, r := range in {
		if w == nil {
			w = next()
			b := buffers.Get().(*bytes.Buffer)
			defer buffers.Put(b) // want "PV016"
			b.Reset()
		}
		if _, err := io.Copy(w, r); err != nil {
			w = nil
		}
	}
	return nil
}

type server struct{ packets *sync.Pool }

// The server keeps its pool for the next connection.
func (s *server) serve(c net.PacketConn, handle func(net.Addr, []byte)) error {
	packets := &sync.Pool{New: func() any { return &job{data: make([]byte, 1500)} }}
	s.packets = packets
	for {
		j := packets.Get().(*job)
		n, from, err := c.ReadFrom(j.data)
		if err != nil {
			return err // want "PV005"
		}
		handle(from, j.data[:n])
		packets.Put(j)
	}
}
