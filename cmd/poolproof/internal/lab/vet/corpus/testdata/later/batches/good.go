// Package batches is right.
package batches

import (
	"bytes"
	"sync"
)

type batch struct {
	rows []*row
	size int
}
type row struct {
	k, v []byte
}

var batches = sync.Pool{New: func() any { return new(batch) }}
var rows = sync.Pool{New: func() any { return new(row) }}

type Writer struct {
	mu   sync.Mutex
	cur  *batch
	full chan *batch
}

func (w *Writer) Add(k, v []byte) {
	r := rows.Get().(*row)
	r.k = append(r.k[:0], k...)
	r.v = append(r.v[:0], v...)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cur == nil {
		w.cur = batches.Get().(*batch)
	}
	w.cur.rows = append(w.cur.rows, r)
	w.cur.size += len(k) + len(v)
	if w.cur.size > 1<<20 {
		w.full <- w.cur
		w.cur = nil
	}
}

func (w *Writer) Run(write func([]byte) error) error {
	var b bytes.Buffer
	for x := range w.full {
		b.Reset()
		for _, r := range x.rows {
			b.Write(r.k)
			b.Write(r.v)
			rows.Put(r)
		}
		clear(x.rows)
		x.rows, x.size = x.rows[:0], 0
		batches.Put(x)
		if err := write(b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}
