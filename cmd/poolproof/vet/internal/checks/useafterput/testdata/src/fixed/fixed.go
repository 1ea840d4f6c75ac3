package fixed

import (
	"bytes"
	"io"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func look(b *bytes.Buffer, n int) {}

func method(w io.Writer) {
	b := buffers.Get().(*bytes.Buffer)
	defer b.WriteTo(w) // want `last in, first out`
	defer buffers.Put(b)
	b.WriteString("x")
}

func literal(w io.Writer) {
	b := buffers.Get().(*bytes.Buffer)
	defer func() { // want `last in, first out`
		if b.Len() > 0 {
			b.WriteTo(w)
		}
	}()
	defer buffers.Put(b) // back to the pool
	b.WriteString("x")
}

// These have no fix: the put stands elsewhere, does more, or another call comes
// before it.

func elsewhere(w io.Writer) {
	b := buffers.Get().(*bytes.Buffer)
	defer b.WriteTo(w) // want `last in, first out`
	if b.Len() > 0 {
		return
	}
	defer buffers.Put(b)
}

func put(b *bytes.Buffer) { buffers.Put(b) }

func byAnotherFunction(w io.Writer) {
	b := buffers.Get().(*bytes.Buffer)
	defer b.WriteTo(w) // want `last in, first out`
	defer put(b)
}

func computed() {
	b := buffers.Get().(*bytes.Buffer)
	defer look(b, b.Len()) // want `last in, first out`
	defer buffers.Put(b)
}

func direct(w io.Writer) {
	b := buffers.Get().(*bytes.Buffer)
	defer b.WriteTo(w) // want `b is used by WriteTo, a deferred call, after line 60 put it in the pool buffers`
	buffers.Put(b)
}
