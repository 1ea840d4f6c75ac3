package everyday

import (
	"bytes"
	"io"
	"strings"
	"sync"
)

// A text can be of any length: what it grew to is lost each time.
func writeText(w io.Writer, s string) error {
	p := slices.Get().(*[]byte)
	defer slices.Put(p) // want "PV013"
	_, err := w.Write(append((*p)[:0], s...))
	return err
}

func byNameLost(names []string) int {
	open := make(map[string]*bytes.Buffer)
	for _, name := range names {
		b := buffers.Get().(*bytes.Buffer)
		b.WriteString(name)
		open[name] = b
	}
	n := 0
	for _, b := range open {
		buffers.Put(b)
		n += b.Len() // want "PV001"
	}
	return n
}

func cleanupsEarly(names []string) int {
	n := 0
	for _, name := range names {
		b := buffers.Get().(*bytes.Buffer)
		done := func() { buffers.Put(b) }
		b.WriteString(name)
		done()
		n += b.Len() // want "PV001"
	}
	return n
}

func sumFreed(depth int) int {
	n := build(depth)
	freeTree(n)
	return n.val // want "PV001"
}

func sumFreedLater(depth int) int {
	n := build(depth)
	defer freeTree(n)
	freeTree(n) // want "PV002"
	return 0
}

func startAndPut(done func(int)) {
	w := workers.Get().(*worker)
	go func() { // want "PV004"
		done(w.n)
	}()
	workers.Put(w)
}

// A decoder that keeps what it reads.
func trim(dst, src []byte) ([]byte, error) {
	if len(src) < 4 {
		return nil, io.ErrUnexpectedEOF
	}
	return src[4:], nil
}

func trimPooled(r io.Reader) ([]byte, error) {
	p := slices.Get().(*[]byte)
	defer slices.Put(p)
	n, err := r.Read(*p)
	if err != nil {
		return nil, err
	}
	b, err := trim(nil, (*p)[:n])
	return b, err // want "PV003"
}

// Two pools, each with a New: one fills with what the other made.
var (
	small = sync.Pool{New: func() any { b := new(bytes.Buffer); b.Grow(64); return b }}
	large = sync.Pool{New: func() any { b := new(bytes.Buffer); b.Grow(1 << 16); return b }}
)

func toTheWrongOne(s string) string {
	b := small.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(s)
	s = strings.ToUpper(b.String())
	large.Put(b) // want "PV021"
	return s
}
