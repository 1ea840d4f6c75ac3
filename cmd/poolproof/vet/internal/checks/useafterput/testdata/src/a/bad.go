package a

import (
	"bufs"
	"bytes"
	"io"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func direct(w io.Writer) {
	b := buffers.Get().(*bytes.Buffer)
	buffers.Put(b)
	b.WriteTo(w) // want `b is used by WriteTo after line 14 put it in the pool buffers`
}

func memory(w io.Writer) {
	b := bufs.Get()
	text := b.Bytes()
	bufs.Put(b)
	w.Write(text) // want `b is used by Write after Put \(line 21\) put it in the pool bufs\.pool`
}

func deferredOrder(w io.Writer) {
	b := bufs.Get()
	defer b.WriteTo(w) // want `last in, first out`
	defer bufs.Put(b)
	b.WriteString("x")
}

func correlated(w io.Writer, done bool) {
	b := bufs.Get()
	if done {
		bufs.Put(b)
	}
	if done {
		b.WriteTo(w) // want `b is used by WriteTo after Put \(line 35\) put it in the pool bufs\.pool`
	}
}

// The variable still is what the last round has put.
func lastRound(n int) (equal int) {
	var last *bytes.Buffer
	for range n {
		b := bufs.Get()
		if last != nil && last.Len() == 0 { // want `b is used by Len after Put \(line 51\) put it in the pool bufs\.pool`
			equal++
		}
		last = b
		bufs.Put(b)
	}
	return equal
}

// Literals in package variables are functions too.
var literal = func(w io.Writer) {
	b := bufs.Get()
	bufs.Put(b)
	b.WriteTo(w) // want `b is used by WriteTo after Put \(line 59\) put it in the pool bufs\.pool`
}

type set[T any] struct{ pool sync.Pool }

func (s *set[T]) get() *T  { return s.pool.Get().(*T) }
func (s *set[T]) put(x *T) { s.pool.Put(x) }

func generic(s *set[bytes.Buffer], w io.Writer) {
	b := s.get()
	s.put(b)
	b.WriteTo(w) // want `b is used by WriteTo after put \(line 70\) put it in its pool`
}
