package a

import (
	"io"
	"strconv"
)

func stored(w io.Writer, n int) {
	p := slices.Get().(*[]byte)
	b := strconv.AppendInt((*p)[:0], int64(n), 10)
	w.Write(b)
	*p = b
	slices.Put(p)
}

func literal(w io.Writer, b []byte) {
	defer func() { put(b) }()
	b = append(b, "text"...)
	w.Write(b)
}

func within(w io.Writer, b []byte) {
	defer put(b)
	b = b[:0]
	w.Write(b)
}
