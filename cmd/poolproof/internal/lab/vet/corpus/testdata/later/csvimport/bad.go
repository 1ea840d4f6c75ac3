// Package csvimport reads rows.
package csvimport

import (
	"bufio"
	"bytes"
	"io"
	"iter"
	"sync"
)

type row struct{ cells [][]byte }

var rows = sync.Pool{New: func() any { return &row{cells: make([][]byte, 0, 16)} }}

// Rows yields the rows of r; a row is valid until the next.
func Rows(r io.Reader) iter.Seq[*row] {
	return func(yield func(*row) bool) {
		s := bufio.NewScanner(r)
		for s.Scan() {
			w := rows.Get().(*row)
			w.cells = append(w.cells[:0], bytes.Split(s.Bytes(), []byte(","))...)
			if !yield(w) {
				return // want "PV005"
			}
			rows.Put(w)
		}
	}
}

// All reads all rows.
func All(r io.Reader) []*row {
	var all []*row
	for w := range Rows(r) {
		all = append(all, w) // want "PV014|PV004"
	}
	return all
}

func each(r io.Reader, f func(*row) error) error {
	s := bufio.NewScanner(r)
	w := rows.Get().(*row)
	defer rows.Put(w)
	for s.Scan() {
		w.cells = bytes.Split(bytes.Clone(s.Bytes()), []byte(","))
		if err := f(w); err != nil {
			return err
		}
	}
	return s.Err()
}

func Last(r io.Reader) (last *row, err error) {
	err = each(r, func(w *row) error {
		last = w // want "PV014|PV004"
		return nil
	})
	return last, err
}
