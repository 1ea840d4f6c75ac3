package a

import (
	"bytes"
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
	b = append(strconv.AppendInt(b, int64(n), 10), "text"...)
	w.Write(b)
	slices.Put(p) // want `still points to the slice before the append`
}

func deferred(w io.Writer, n int, b []byte) {
	defer put(b) // want `puts the slice as it is now, before the assignment`
	b = append(b, "text"...)
	w.Write(b)
}

func cut(w io.Writer, b []byte) {
	defer put(b) // want `puts the slice as it is now, before the assignment`
	b = b[:0]
	b = append(append(b, "a"...), "text"...)
	b = strconv.AppendInt(b, 1, 10)
	w.Write(b)
}

type owner struct{ pool sync.Pool }

func (o *owner) put(b []byte) { o.pool.Put(&b) }

func byMethod(o *owner, w io.Writer) {
	b := get()
	defer o.put(b) // want `puts the slice as it is now, before the assignment`
	b = append(b, "text"...)
	w.Write(b)
}

// No fix: what the variable holds by then may be another's.
func another(w io.Writer, b []byte) {
	defer put(b) // want `puts the slice as it is now, before the assignment`
	b = append(b, "text"...)
	b = bytes.TrimSpace(b)
	w.Write(b)
}

// Nor where the call is another one by then.
func moved(o, other *owner, w io.Writer) {
	b := get()
	defer o.put(b) // want `puts the slice as it is now, before the assignment`
	b = append(b, "text"...)
	o = other
	w.Write(b)
}

// Nor where return sets the variable.
func result(w io.Writer) (b []byte) {
	b = get()
	defer put(b) // want `puts the slice as it is now, before the assignment`
	b = append(b, "text"...)
	w.Write(b)
	return nil
}

// Nor where somebody else may set it.
func shown(set func(*[]byte), w io.Writer) {
	b := get()
	defer put(b) // want `puts the slice as it is now, before the assignment`
	set(&b)
	b = append(b, "text"...)
	w.Write(b)
}
