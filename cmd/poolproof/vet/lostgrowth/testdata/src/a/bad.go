package a

import (
	"io"
	"strconv"
	"sync"
)

var slices = sync.Pool{New: func() any { return new([]byte) }}

func put(b []byte) { slices.Put(&b) }

func get() []byte { return (*slices.Get().(*[]byte))[:0] }

func notStored(w io.Writer, n int) {
	p := slices.Get().(*[]byte)
	b := (*p)[:0]
	b = strconv.AppendInt(b, int64(n), 10)
	w.Write(b)
	slices.Put(p) // want `still points to the slice before the append`
}

func deferred(w io.Writer, n int, b []byte) {
	defer put(b) // want `puts the slice as it is now, before the assignment`
	b = append(b, "text"...)
	w.Write(b)
}
