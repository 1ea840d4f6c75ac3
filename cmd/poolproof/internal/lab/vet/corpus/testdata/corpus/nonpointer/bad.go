// Package nonpointer puts values that an interface cannot hold without an
// allocation.
package nonpointer

import (
	"io"
	"strconv"
	"sync"

	"example.org/corpus/lib/bufs"
)

type pair struct{ a, b int }

var (
	slices  = sync.Pool{New: func() any { return make([]byte, 0, 1<<10) }}
	pairs   = sync.Pool{New: func() any { return pair{} }}
	arrays  = sync.Pool{New: func() any { return [64]byte{} }}
	names   = sync.Pool{New: func() any { return "" }}
	numbers = sync.Pool{New: func() any { return 0 }}
	pointed = sync.Pool{New: func() any { b := make([]byte, 0, 1<<10); return &b }}
)

func slice(w io.Writer, n int) error {
	b := slices.Get().([]byte)
	b = strconv.AppendInt(b[:0], int64(n), 10)
	_, err := w.Write(b)
	slices.Put(b) // want "PV008"
	return err
}

func sliceDeferred(w io.Writer) error {
	b := slices.Get().([]byte)
	defer slices.Put(b[:0]) // want "PV008"
	_, err := w.Write(b[:cap(b)])
	return err
}

func structure() int {
	p := pairs.Get().(pair)
	p.a++
	pairs.Put(p) // want "PV008"
	return p.a
}

func array(r io.Reader) (byte, error) {
	a := arrays.Get().([64]byte)
	_, err := io.ReadFull(r, a[:])
	arrays.Put(a) // want "PV008"
	return a[0], err
}

func text(s string) {
	_ = names.Get().(string) // may "PV006"
	names.Put(s)             // want "PV008"
}

func number(n int) int {
	n += numbers.Get().(int)
	numbers.Put(n) // want "PV008"
	return n
}

func generic[T any](p *sync.Pool, x []T) {
	p.Put(x) // want "PV008"
}

// The address of a local variable is the address of a new allocation, every
// time: the pointer that was got is lost.
func addressOfCopy(w io.Writer, n int) error {
	p := pointed.Get().(*[]byte) // may "PV006"
	b := (*p)[:0]
	b = strconv.AppendInt(b, int64(n), 10)
	_, err := w.Write(b)
	pointed.Put(&b) // want "PV008|PV013"
	return err
}

func addressOfParameter(b []byte) {
	b = b[:0]
	pointed.Put(&b) // want "PV008|PV013"
}

func addressThroughWrapper(w io.Writer, n int) error {
	b := *bufs.GetBytes() // may "PV006"
	b = strconv.AppendInt(b, int64(n), 10)
	_, err := w.Write(b)
	bufs.PutBytes(&b) // want "PV008|PV013"
	return err
}
