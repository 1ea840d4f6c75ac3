package a

import "sync"

type line struct {
	buf  []int
	size int
}

var lineOf = sync.Pool{New: func() any { return new(line) }}

// begin makes memory only if there is not enough.
func (l *line) begin(n int) {
	if cap(l.buf) < n {
		l.buf = make([]int, 0, n)
	} else {
		l.buf = l.buf[:0]
	}
}

// renew makes memory each time.
func (l *line) renew(n int) { l.buf = make([]int, 0, n) }

func begun(n int) []int {
	l := lineOf.Get().(*line)
	defer lineOf.Put(l)
	l.begin(n)
	l.buf = append(l.buf, n)
	return l.buf // want `memory of l is returned`
}

func renewed(n int) []int {
	l := lineOf.Get().(*line)
	defer lineOf.Put(l)
	l.renew(n)
	l.buf = append(l.buf, n)
	return l.buf
}

func readBefore(n int) []int {
	l := lineOf.Get().(*line)
	defer lineOf.Put(l)
	b := append(l.buf, n)
	l.begin(n)
	return b
}

func renewedOnly(n int) []int {
	l := lineOf.Get().(*line)
	defer lineOf.Put(l)
	l.renew(n)
	return l.buf
}
