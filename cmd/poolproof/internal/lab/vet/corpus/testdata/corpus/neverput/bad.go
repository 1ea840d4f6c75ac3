// Package neverput gets objects that nobody puts.
package neverput

import (
	"bytes"
	"fmt"
	"io"
	"sync"

	"example.org/corpus/lib/bufs"
	"example.org/corpus/lib/classes"
	"example.org/corpus/lib/gpool"
	"example.org/corpus/lib/jobs"
	"example.org/corpus/lib/lease"
)

type scratch struct {
	n    int
	data [256]byte
}

var (
	buffers   = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	scratches = sync.Pool{New: func() any { return new(scratch) }}
)

func local(name string) string {
	b := buffers.Get().(*bytes.Buffer) // want "PV006"
	b.Reset()
	b.WriteString(name)
	return b.String()
}

func wrapped(w io.Writer, n int) error {
	b := bufs.Get() // want "PV006"
	fmt.Fprintf(b, "%d\n", n)
	_, err := b.WriteTo(w)
	return err
}

func ofClass(r io.Reader) (sum int, err error) {
	b := classes.Get(1 << 10) // want "PV006"
	n, err := r.Read(b)
	for _, c := range b[:n] {
		sum += int(c)
	}
	return sum, err
}

func method(w io.Writer) error {
	j := jobs.New(1) // want "PV006"
	j.Name = "forgotten"
	return j.Run(w)
}

func leaseDropped(name string) int {
	b, _ := lease.Acquire() // want "PV006"
	n, _ := b.WriteString(name)
	return n
}

func inLoop(r io.Reader, n int) (sum int) {
	for range n {
		s := scratches.Get().(*scratch) // want "PV006"
		s.n, _ = r.Read(s.data[:])
		sum += s.n
	}
	return sum
}

func generic[T any](p *gpool.Pool[T]) T {
	x := p.Get() // want "PV006"
	return zeroed(x)
}

func zeroed[T any](x *T) (zero T) {
	*x = zero
	return zero
}

func resultIgnored() {
	buffers.Get() // want "PV006"
}

// The name of the callee says Put, but it is another one's.
type table struct{ rows map[string]int }

func (t *table) Put(key string, n int) { t.rows[key] = n }

func otherPut(t *table, name string) {
	b := buffers.Get().(*bytes.Buffer) // want "PV006"
	b.Reset()
	b.WriteString(name)
	t.Put(b.String(), b.Len())
}

// Handing it to a function that only reads is no hand-over.
func readsOnly(b *bytes.Buffer) int { return b.Len() + b.Cap() }

func passedToReader(name string) int {
	b := bufs.Get() // want "PV006"
	b.WriteString(name)
	return readsOnly(b)
}

func localStruct(name string) int {
	type holder struct{ b *bytes.Buffer }
	h := holder{b: buffers.Get().(*bytes.Buffer)} // want "PV006"
	h.b.Reset()
	n, _ := h.b.WriteString(name)
	return n
}
