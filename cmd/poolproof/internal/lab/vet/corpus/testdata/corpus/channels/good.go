package channels

import (
	"bytes"
	"context"
	"io"
	"sync"
)

func (s *server) sendLast(p []byte) int {
	b := getBuffer()
	b.Write(p)
	n := b.Len()
	s.in <- b // fine "PV004|PV005" handed over, and not used any more
	return n
}

func (s *server) trySend(p []byte) bool {
	b := getBuffer()
	b.Write(p)
	select {
	case s.in <- b:
		return true
	default:
		putBuffer(b) // fine "PV002|PV004" only where it was not sent
		return false
	}
}

func (s *server) trySendFlag(p []byte) (sent bool) {
	b := getBuffer()
	b.Write(p)
	select {
	case s.in <- b:
		sent = true
	default:
	}
	if !sent {
		putBuffer(b) // fine "PV002|PV004" only where it was not sent
	}
	return sent
}

func (s *server) sendOrCancel(ctx context.Context, p []byte) error {
	b := getBuffer()
	b.Write(p)
	select {
	case s.in <- b:
		return nil
	case <-ctx.Done():
		putBuffer(b) // fine "PV002|PV004" not sent
		return ctx.Err()
	}
}

func (s *server) sendFresh(rows [][]byte) {
	for _, row := range rows {
		b := getBuffer()
		b.Write(row)
		s.in <- b // fine "PV001|PV002|PV004" another each time
	}
}

func (s *server) sendFull(rows [][]byte) {
	b := getBuffer()
	for _, row := range rows {
		b.Write(row)
		if b.Len() > 4096 {
			s.in <- b
			b = getBuffer() // fine "PV001|PV002|PV005" a new one after each send
		}
	}
	s.in <- b
}

// The worker only reads, and says when it is done.
func asked(jobs chan<- job, p []byte) {
	b := getBuffer()
	b.Write(p)
	j := job{buf: b, ack: make(chan struct{})}
	jobs <- j
	<-j.ack
	putBuffer(b) // fine "PV002|PV004" the worker has answered
}

func answers(jobs <-chan job, out io.Writer) {
	for j := range jobs {
		j.buf.WriteTo(out)
		close(j.ack) // fine "PV001" who sent it puts it
	}
}

func sendClone(ch chan<- []byte, p []byte) {
	b := getBuffer()
	b.Write(p)
	ch <- bytes.Clone(b.Bytes())
	putBuffer(b) // fine "PV004" a clone was sent
}

func sendLength(ch chan<- int, p []byte) {
	b := getBuffer()
	b.Write(p)
	ch <- b.Len()
	putBuffer(b) // fine "PV004" a number was sent
}

// What is sent comes back.
func roundTrip(in chan<- *bytes.Buffer, out <-chan *bytes.Buffer, p []byte) int {
	b := getBuffer()
	b.Write(p)
	in <- b
	b = <-out
	n := b.Len() // fine "PV001|PV004" received
	putBuffer(b)
	return n
}

func relay(in <-chan *bytes.Buffer, out chan<- *bytes.Buffer) {
	for b := range in {
		b.WriteByte('\n')
		out <- b // fine "PV004|PV005" handed on
	}
	close(out)
}

func receivesOnce(in <-chan *bytes.Buffer, out io.Writer) error {
	for {
		b, ok := <-in
		if !ok {
			return nil
		}
		_, err := b.WriteTo(out)
		putBuffer(b) // fine "PV001|PV002" another each time
		if err != nil {
			return err
		}
	}
}

// Readers only read; the buffer is put when all of them are done.
func broadcast(rows []chan<- *bytes.Buffer, wg *sync.WaitGroup, p []byte) {
	b := getBuffer()
	b.Write(p)
	wg.Add(len(rows))
	for _, ch := range rows {
		ch <- b // fine "PV002|PV004" put after the wait
	}
	wg.Wait()
	putBuffer(b)
}

var spare = make(chan *bytes.Buffer, 16)

func fromSpare() *bytes.Buffer {
	select {
	case b := <-spare:
		b.Reset()
		return b
	default:
		return getBuffer()
	}
}

func toSpare(b *bytes.Buffer) {
	select {
	case spare <- b: // fine "PV004" a list of free ones
	default:
		putBuffer(b)
	}
}

func withSpare(p []byte, out io.Writer) (int64, error) {
	b := fromSpare()
	defer toSpare(b) // fine "PV001|PV004" at the end
	b.Write(p)
	return b.WriteTo(out)
}

func ownedLast(out io.Writer, p []byte) int {
	b := getBuffer()
	b.Write(p)
	n := b.Len()
	go func() {
		b.WriteTo(out)
		putBuffer(b) // fine "PV001|PV004" the goroutine has it alone
	}()
	return n
}

func ownedJoined(out io.Writer, p []byte) int {
	b := getBuffer()
	b.Write(p)
	done := make(chan struct{})
	go func() {
		b.WriteTo(out)
		close(done)
	}()
	<-done
	n := b.Cap()
	putBuffer(b) // fine "PV001|PV004" the goroutine has ended
	return n
}

func splitWork(rows [][]byte, out io.Writer) {
	ch := make(chan *bytes.Buffer, 4)
	var wg sync.WaitGroup
	wg.Go(func() { drain(ch, out) })
	for _, row := range rows {
		b := getBuffer()
		b.Write(row)
		ch <- b // fine "PV001|PV004" the receiver puts it
	}
	close(ch)
	wg.Wait()
}
