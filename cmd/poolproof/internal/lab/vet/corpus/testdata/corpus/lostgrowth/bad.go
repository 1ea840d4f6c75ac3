// Package lostgrowth puts the old slice after a larger one was made.
package lostgrowth

import (
	"io"
	"strconv"
	"sync"

	"example.org/corpus/lib/bufs"
	"example.org/corpus/lib/classes"
)

var slices = sync.Pool{New: func() any { b := make([]byte, 0, 64); return &b }}

// The argument of the deferred call is the slice of the beginning.
func deferredHeader(w io.Writer, list []int) error {
	b := classes.Get(64)[:0]
	defer classes.Put(b) // want "PV013"
	for _, n := range list {
		b = strconv.AppendInt(b, int64(n), 10)
	}
	_, err := w.Write(b)
	return err
}

// What was appended is not stored back behind the pointer.
func notStoredBack(w io.Writer, list []int) error {
	p := slices.Get().(*[]byte)
	b := (*p)[:0]
	for _, n := range list {
		b = strconv.AppendInt(b, int64(n), 10)
	}
	_, err := w.Write(b)
	slices.Put(p) // want "PV013"
	return err
}

func notStoredBackDeferred(w io.Writer, list []int) error {
	p := bufs.GetBytes()
	defer bufs.PutBytes(p) // want "PV013"
	b := *p
	for _, n := range list {
		b = append(b, strconv.Itoa(n)...)
		b = append(b, '\n')
	}
	_, err := w.Write(b)
	return err
}

func madeLarger(r io.Reader, n int) error {
	b := classes.Get(64)
	defer classes.Put(b) // want "PV013"
	if n > len(b) {
		b = make([]byte, n)
	}
	_, err := io.ReadFull(r, b[:n])
	return err
}

type row struct{ cells []string }

var cells = sync.Pool{New: func() any { s := make([]string, 0, 8); return &s }}

func elements(rows []row, each func([]string)) {
	p := cells.Get().(*[]string)
	all := (*p)[:0]
	for _, r := range rows {
		all = append(all, r.cells...)
	}
	each(all)
	clear(all)
	cells.Put(p) // want "PV013"
}
