// Package leakpath puts what it got on some ways, and forgets it on others.
package leakpath

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"sync"

	"example.org/corpus/lib/bufs"
	"example.org/corpus/lib/classes"
	"example.org/corpus/lib/frames"
	"example.org/corpus/lib/gpool"
	"example.org/corpus/lib/jobs"
	"example.org/corpus/lib/lease"
)

type packet struct {
	n    int
	data [512]byte
}

var (
	errEmpty = errors.New("empty")
	buffers  = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	packets  = sync.Pool{New: func() any { return new(packet) }}
)

func errorReturn(w io.Writer, r io.Reader) error {
	b := buffers.Get().(*bytes.Buffer) // want "PV005"
	b.Reset()
	if _, err := b.ReadFrom(r); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	buffers.Put(b)
	return err
}

func earlyReturn(name string) string {
	b := buffers.Get().(*bytes.Buffer) // want "PV005"
	if name == "" {
		return ""
	}
	b.Reset()
	b.WriteString(name)
	s := b.String()
	buffers.Put(b)
	return s
}

func continued(names []string, w io.Writer) {
	for _, n := range names {
		b := buffers.Get().(*bytes.Buffer) // want "PV005"
		b.Reset()
		if n == "" {
			continue // may "PV005"
		}
		b.WriteString(n)
		w.Write(b.Bytes())
		buffers.Put(b)
	}
}

func broken(names []string, w io.Writer) {
	for _, n := range names {
		b := buffers.Get().(*bytes.Buffer) // want "PV005"
		b.Reset()
		b.WriteString(n)
		if _, err := w.Write(b.Bytes()); err != nil {
			break // may "PV005"
		}
		buffers.Put(b)
	}
}

func oneCase(kind int, w io.Writer) error {
	p := packets.Get().(*packet) // want "PV005"
	switch kind {
	case 0:
		packets.Put(p)
		return nil
	case 1:
		_, err := w.Write(p.data[:p.n])
		packets.Put(p)
		return err
	default:
		return errEmpty
	}
}

// The second object is got before the first is put.
func overwritten(names []string, w io.Writer) {
	b := buffers.Get().(*bytes.Buffer) // want "PV005"
	for _, n := range names {
		b.Reset()
		b.WriteString(n)
		if _, err := b.WriteTo(w); err != nil {
			b = buffers.Get().(*bytes.Buffer) // may "PV005"
		}
	}
	buffers.Put(b)
}

// The error of the second read leaks the buffer of the first.
func secondError(r io.Reader) (int, error) {
	head := classes.Get(4) // want "PV005"
	if _, err := io.ReadFull(r, head); err != nil {
		classes.Put(head)
		return 0, err
	}
	n, err := strconv.Atoi(string(head))
	if err != nil {
		return 0, err
	}
	classes.Put(head)
	return n, nil
}

func dropped(out chan<- *packet, stop <-chan struct{}) {
	p := packets.Get().(*packet) // want "PV005|PV006"
	p.n = 0
	select {
	case out <- p:
	case <-stop:
	}
}

func fullQueue(out chan<- *packet) bool {
	p := packets.Get().(*packet) // want "PV005|PV006"
	p.n = 1
	select {
	case out <- p:
		return true
	default:
		return false
	}
}

func wrapped(r io.Reader) (string, error) {
	b := bufs.Get() // want "PV005"
	if _, err := b.ReadFrom(r); err != nil {
		return "", err
	}
	s := b.String()
	bufs.Put(b)
	return s, nil
}

func releaseOnSuccess(w io.Writer) error {
	j := jobs.New(1) // want "PV005"
	if err := j.Run(w); err != nil {
		return err
	}
	j.Release()
	return nil
}

func leaseNotReleased(r io.Reader) (string, error) {
	b, release := lease.Acquire() // want "PV005"
	if _, err := b.ReadFrom(r); err != nil {
		return "", err
	}
	defer release()
	return b.String(), nil
}

func countNotReleased(out chan<- *frames.Frame, ok bool) {
	f := frames.New(1) // want "PV005|PV006"
	if !ok {
		return
	}
	out <- f
}

func genericLeak[T any](p *gpool.Pool[T], dst *T, ready bool) {
	x := p.Get() // want "PV005"
	if !ready {
		return
	}
	*dst = *x
	p.Put(x)
}

// The constructor owns what it got until it returns it.
type client struct{ buf *bytes.Buffer }

func newClient(hello io.Reader) (*client, error) {
	b := buffers.Get().(*bytes.Buffer) // want "PV005"
	b.Reset()
	if _, err := b.ReadFrom(hello); err != nil {
		return nil, err
	}
	return &client{buf: b}, nil
}

// The defer comes after the first return.
func lateDefer(r io.Reader) (n int64, err error) {
	b := buffers.Get().(*bytes.Buffer) // want "PV005"
	b.Reset()
	if n, err = b.ReadFrom(r); err != nil {
		return n, err
	}
	defer buffers.Put(b)
	return n, nil
}

func twoLeak(r io.Reader) error {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	p := packets.Get().(*packet) // want "PV005"
	n, err := io.ReadFull(r, p.data[:])
	if err != nil {
		return err
	}
	p.n = n
	packets.Put(p)
	return nil
}

func conditionDiffers(w io.Writer, ok, last bool) {
	p := packets.Get().(*packet) // want "PV005"
	if ok {
		w.Write(p.data[:])
	}
	if last {
		packets.Put(p)
	}
}

var parse = func(r io.Reader) (int, error) {
	b := bufs.Get() // want "PV005"
	if _, err := b.ReadFrom(r); err != nil {
		return 0, err
	}
	n := b.Len()
	bufs.Put(b)
	return n, nil
}
