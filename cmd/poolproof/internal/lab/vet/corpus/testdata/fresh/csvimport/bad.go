// Package csvimport reads rows and hands them to workers.
package csvimport

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"sync"
	"unsafe"
)

type row struct {
	cells [][]byte
	raw   []byte
	err   error
}

var rows = sync.Pool{New: func() any { return new(row) }}

type table struct {
	names  map[string]int
	sample [][]byte
	onRow  func(*row) error
}

func (r *row) reset() { r.cells, r.raw, r.err = r.cells[:0], r.raw[:0], nil }

// header keeps names that are strings over the row's memory.
func (t *table) header(br *bufio.Reader) error {
	r := rows.Get().(*row)
	defer rows.Put(r)
	r.reset()
	line, err := br.ReadSlice('\n')
	if err != nil {
		return err
	}
	r.raw = append(r.raw, line...)
	for i, c := range bytes.Split(r.raw, []byte{','}) {
		name := unsafe.String(unsafe.SliceData(c), len(c))
		t.names[name] = i // want "PV004"
	}
	return nil
}

// each puts the row and then looks whether it had an error.
func (t *table) each(br *bufio.Reader) error {
	for {
		r := rows.Get().(*row)
		r.reset()
		line, err := br.ReadBytes('\n')
		if err == io.EOF {
			rows.Put(r)
			return nil
		}
		r.raw = append(r.raw, line...)
		r.err = t.onRow(r)
		rows.Put(r)
		if r.err != nil { // want "PV001"
			return r.err
		}
	}
}

// first returns the cells of the first row as a slice of the pool's memory.
func first(br *bufio.Reader) (cells [][]byte, err error) {
	r := rows.Get().(*row)
	r.reset()
	r.raw, err = br.ReadBytes('\n')
	if err != nil {
		rows.Put(r)
		return nil, err
	}
	r.cells = append(r.cells, bytes.Split(r.raw, []byte{','})...)
	cells = r.cells
	rows.Put(r)
	return cells, nil // want "PV001|PV003"
}

// collect assigns a captured variable under a callback.
func collect(scan func(func(*row)) error) (last []byte, err error) {
	r := rows.Get().(*row)
	defer rows.Put(r)
	r.reset()
	err = scan(func(x *row) {
		r.raw = append(r.raw, x.raw...)
		last = r.raw
	})
	return last, err // want "PV003"
}

// skip forgets the row when the line is a comment.
func (t *table) skip(br *bufio.Reader) error {
	for {
		r := rows.Get().(*row) // want "PV005"
		r.reset()
		line, err := br.ReadString('\n')
		if err != nil {
			rows.Put(r)
			return err
		}
		if strings.HasPrefix(line, "#") {
			continue
		}
		r.raw = append(r.raw, line...)
		err = t.onRow(r)
		rows.Put(r)
		if err != nil {
			return err
		}
	}
}
