package channels

import (
	"bytes"
	"io"
)

func (s *server) sendThenRead(p []byte) int {
	b := getBuffer()
	b.Write(p)
	s.in <- b
	return b.Len() // want "PV001|PV004"
}

func (s *server) sendThenPut(p []byte) {
	b := getBuffer()
	b.Write(p)
	s.in <- b    // may "PV004"
	putBuffer(b) // want "PV002|PV004"
}

func (s *server) deferThenSend(p []byte) {
	b := getBuffer()
	defer putBuffer(b)
	b.Write(p)
	s.in <- b // want "PV002|PV004"
}

func (s *server) sendKept(p []byte) {
	b := getBuffer()
	b.Write(p)
	s.cur = b
	s.in <- b // want "PV001|PV004"
	s.cur.Reset()
}

func (s *server) sendAgain(rows [][]byte) {
	b := getBuffer()
	for _, row := range rows {
		b.Write(row) // may "PV001"
		s.in <- b    // want "PV001|PV002|PV004"
	}
}

func (s *server) sendTwice(other chan<- *bytes.Buffer, p []byte) {
	b := getBuffer()
	b.Write(p)
	s.in <- b
	other <- b // want "PV001|PV002|PV004"
}

func (s *server) sendJobThenPut(p []byte, id int) {
	b := getBuffer()
	b.Write(p)
	s.jobs <- job{buf: b, id: id} // may "PV004"
	putBuffer(b)                  // want "PV002|PV004"
}

func (s *server) sendJobThenReset(p []byte, id int) {
	b := getBuffer()
	b.Write(p)
	s.jobs <- job{buf: b, id: id}
	b.Reset() // want "PV001|PV004"
}

func (s *server) trySendThenPut(p []byte) bool {
	b := getBuffer()
	b.Write(p)
	sent := false
	select {
	case s.in <- b: // may "PV004"
		sent = true
	default:
	}
	putBuffer(b) // want "PV002|PV004"
	return sent
}

func sendView(ch chan<- []byte, p []byte) {
	b := getBuffer()
	b.Write(p)
	ch <- b.Bytes() // want "PV004"
	putBuffer(b)
}

// The channel is local, and its receiver puts.
func localChannel(rows [][]byte, out io.Writer) (total int) {
	ch := make(chan *bytes.Buffer, 4)
	go drain(ch, out)
	for _, row := range rows {
		b := getBuffer()
		b.Write(row)
		ch <- b
		total += b.Len() // want "PV001|PV004"
	}
	close(ch)
	return total
}

func localGoroutine(rows [][]byte, out io.Writer) {
	ch := make(chan *bytes.Buffer)
	go func() {
		for b := range ch {
			b.WriteTo(out)
			putBuffer(b)
		}
	}()
	for _, row := range rows {
		b := getBuffer()
		b.Write(row)
		ch <- b      // may "PV004"
		putBuffer(b) // want "PV002|PV004"
	}
	close(ch)
}

// The receiver gives the memory on after it has put the buffer.
func stage(in <-chan *bytes.Buffer, out chan<- []byte) {
	for b := range in {
		p := b.Bytes()
		putBuffer(b)
		out <- p // want "PV001|PV004"
	}
}

func receivesTwice(in <-chan *bytes.Buffer, out io.Writer) {
	for b := range in {
		if _, err := b.WriteTo(out); err != nil {
			putBuffer(b)
		}
		putBuffer(b) // want "PV002"
	}
}

// The goroutine that owns it puts it while this one goes on.
func owned(out io.Writer, p []byte) int {
	b := getBuffer()
	b.Write(p)
	go func() {
		b.WriteTo(out)
		putBuffer(b)
	}()
	return b.Len() // want "PV001|PV004"
}

var free = make(chan *bytes.Buffer, 16)

func freeList(p []byte) int {
	b := getBuffer()
	b.Write(p)
	select {
	case free <- b:
	default:
		buffers.Put(b)
	}
	return b.Len() // want "PV001|PV004"
}
