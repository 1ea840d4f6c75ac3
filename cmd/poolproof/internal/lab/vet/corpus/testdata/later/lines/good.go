// Package lines is right.
package lines

import (
	"bufio"
	"io"
	"iter"
	"sync"
)

type line struct{ b []byte }

var lines = sync.Pool{New: func() any { return new(line) }}

func Lines(r io.Reader) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		l := lines.Get().(*line)
		defer lines.Put(l)
		s := bufio.NewScanner(r)
		for i := 0; s.Scan(); i++ {
			l.b = append(l.b[:0], s.Bytes()...)
			if !yield(i, l.b) {
				return
			}
		}
	}
}

func Longest(r io.Reader) (s string) {
	for _, b := range Lines(r) {
		if len(b) > len(s) {
			s = string(b)
		}
	}
	return s
}

func Count(r io.Reader, word string) (n int, first []byte) {
	for i, b := range Lines(r) {
		if string(b) == word {
			n++
			if first == nil {
				first = append(first, b...)
			}
			_ = i
		}
	}
	return n, first
}
