package everyday

import (
	"fmt"
	"io"
)

func pointerStoredBack(w io.Writer, args ...any) error {
	p := slices.Get().(*[]byte)
	defer slices.Put(p)
	*p = fmt.Appendln((*p)[:0], args...) // fine "PV013" stored back
	_, err := w.Write(*p)
	return err
}

var lists = newLists()

type listPool struct{ free [][]byte }

func newLists() *listPool { return &listPool{} }

func (l *listPool) Get() []byte {
	p := slices.Get().(*[]byte)
	b := *p
	*p = nil
	return b[:0]
}

func (l *listPool) Put(b []byte) { slices.Put(&b) } //poolproof:ignore PV008 the header is the price of a slice

func load(b []byte) ([]byte, error) { return make([]byte, 10), nil }

// The variable gets another object, which has a put of its own.
func twoObjects() (int, error) {
	b := lists.Get()
	defer lists.Put(b) // fine "PV013" the second is another one
	n := len(b)
	b, err := load(nil)
	if err != nil {
		return 0, err
	}
	return n + len(b), nil
}

// Which of the two it is depends on a flag that is asked again.
func (w *writer) putOnce(r io.Reader) (n int, err error) {
	b := lists.Get()
	if w.isNotConcurrent() {
		defer lists.Put(b) // fine "PV013" one for all rounds
	}
	for range 3 {
		m, err := r.Read(b)
		if err != nil {
			if !w.isNotConcurrent() {
				lists.Put(b)
			}
			return n, nil // fine "PV005" put by the defer, or just before
		}
		n += m
		if !w.isNotConcurrent() {
			go lists.Put(b)
			b = lists.Get()
		}
	}
	if !w.isNotConcurrent() {
		lists.Put(b)
	}
	return n, nil // fine "PV002" one of the two
}

// A call that failed returned nothing.
func putAfterFailure(r io.Reader) (int, error) {
	b, err := read(r)
	if err != nil {
		slices.Put(b)
		if err != io.EOF {
			return 0, err
		}
	}
	if b == nil {
		return 0, nil
	}
	n := len(*b) // fine "PV001" there is none where read failed
	slices.Put(b)
	return n, nil
}

func read(r io.Reader) (*[]byte, error) {
	p := slices.Get().(*[]byte)
	if _, err := r.Read(*p); err != nil {
		slices.Put(p)
		return nil, err
	}
	return p, nil
}

// An object that a select sends is the receiver's.
func offer(ch chan<- []byte, done <-chan struct{}, p []byte) {
	b := lists.Get() // fine "PV006|PV005" the receiver puts it
	b = append(b, p...)
	select {
	case ch <- b:
	case <-done:
		lists.Put(b)
	}
}
