// Package channels hands pooled objects over through channels: who sends gives
// up, who receives puts.
package channels

import (
	"bytes"
	"io"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuffer() *bytes.Buffer {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func putBuffer(b *bytes.Buffer) { buffers.Put(b) }

// job is what workers get.
type job struct {
	buf *bytes.Buffer
	id  int
	ack chan struct{}
}

// server writes what it is sent, and puts it.
type server struct {
	in   chan *bytes.Buffer
	jobs chan job
	cur  *bytes.Buffer
	out  io.Writer
}

func (s *server) loop() {
	for b := range s.in {
		b.WriteTo(s.out)
		putBuffer(b)
	}
}

func (s *server) work() {
	for j := range s.jobs {
		j.buf.WriteTo(s.out)
		putBuffer(j.buf)
	}
}

// drain is the receiver of the channels that are parameters.
func drain(ch <-chan *bytes.Buffer, out io.Writer) {
	for b := range ch {
		b.WriteTo(out)
		putBuffer(b)
	}
}
