package foreign

import (
	"bytes"
	"io"
	"unsafe"
)

func smallIntoLarge(r io.Reader) (int, error) {
	b := small.Get().(*[]byte)
	n, err := r.Read(*b)
	large.Put(b) // want "PV021"
	return n, err
}

// The wrappers name their pools.
func wrapped(r io.Reader) (int, error) {
	b := getSmall()
	defer putLarge(b) // want "PV021"
	return r.Read(*b)
}

func nextClass(r io.Reader) (int, error) {
	b := byClass[1].Get().(*[]byte)
	n, err := r.Read(*b)
	byClass[2].Put(b) // want "PV021"
	return n, err
}

func (s *stages) forward(f func(*row)) {
	x := s.in.Get().(*row)
	f(x)
	s.out.Put(x) // want "PV021"
}

// Write must not keep p, and gives it to the pool.
type sink struct{ n int }

func (s *sink) Write(p []byte) (int, error) {
	s.n += len(p)
	putChunk(p[:0]) // want "PV021"
	return len(p), nil
}

// table is for all, and a piece of it goes to whoever asks next.
var table [4096]byte

func seed() {
	putChunk(table[:1024:1024]) // want "PV021"
}

// The memory of a string must not be written.
func keepText(s string) {
	putChunk(unsafe.Slice(unsafe.StringData(s), len(s))) // want "PV021"
}

// The record goes on, and its row is somebody else's.
func (r *record) done() {
	rows.Put(&r.row) // want "PV021"
}

func halves(r io.Reader) error {
	b := getChunk()
	b = append(b, make([]byte, 512)...)
	head, tail := b[:256], b[256:]
	if _, err := io.ReadFull(r, head); err != nil {
		return err // may "PV005"
	}
	putChunk(head)
	putChunk(tail) // want "PV002|PV021"
	return nil
}

// One memory in two pools.
func twoPools(r io.Reader) error {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	_, err := b.ReadFrom(r)
	putChunk(b.Bytes()) // want "PV002|PV004|PV021"
	buffers.Put(b)      // may "PV001|PV002"
	return err
}

// An element of a slice that the caller has.
func recycleLast(all []row) []row {
	last := len(all) - 1
	rows.Put(&all[last]) // want "PV021"
	return all
}
