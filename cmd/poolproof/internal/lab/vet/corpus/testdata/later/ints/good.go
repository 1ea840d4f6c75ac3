// Package ints is right.
package ints

import (
	"io"
	"strconv"
	"sync"
)

var bufs = sync.Pool{New: func() any { b := make([]byte, 0, 256); return &b }}

type Encoder struct{ w io.Writer }

func (e *Encoder) Ints(vs []int) error {
	bp := bufs.Get().(*[]byte)
	b := (*bp)[:0]
	defer func() {
		*bp = b
		bufs.Put(bp)
	}()
	for i, v := range vs {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(v), 10)
	}
	_, err := e.w.Write(b)
	return err
}

func Join(vs []int) string {
	bp := bufs.Get().(*[]byte)
	b := (*bp)[:0]
	for _, v := range vs {
		b = strconv.AppendInt(b, int64(v), 10)
	}
	s := string(b)
	*bp = b[:0]
	bufs.Put(bp)
	return s
}
