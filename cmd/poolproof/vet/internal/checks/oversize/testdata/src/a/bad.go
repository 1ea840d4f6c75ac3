package a

import (
	"bytes"
	"io"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func copyAll(w io.Writer, r io.Reader) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b) // want `PV012 oversize \(audit\): b is put whatever its size`
	b.Reset()
	b.ReadFrom(r)
	b.WriteTo(w)
}

func put(b *bytes.Buffer) {
	b.Reset()
	buffers.Put(b) // want `b is put whatever its size`
}

var slices = sync.Pool{New: func() any { return new([]int) }}

func collect(in []int) {
	p := slices.Get().(*[]int)
	b := append((*p)[:0], in...)
	*p = b
	slices.Put(p) // want `p is put whatever its size`
}
