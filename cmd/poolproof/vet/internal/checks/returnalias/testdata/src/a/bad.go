package a

import (
	"bufs"
	"bytes"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func slice() []byte {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	return b.Bytes() // want `memory of b is returned`
}

func literal(short bool) []byte {
	b := bufs.Get()
	defer func() {
		b.Reset()
		bufs.Put(b)
	}()
	if short {
		return nil
	}
	return b.Bytes()[:1] // want `memory of b is returned`
}

func itself() *bytes.Buffer {
	b := bufs.Get()
	defer bufs.Put(b)
	return b // want `b is returned`
}

func closure() func() int {
	b := bufs.Get()
	defer bufs.Put(b)
	return func() int { return b.Len() } // want `a value that refers to b is returned, but the deferred Put \(line 37\) puts b in the pool bufs.pool before the caller reads the result`
}
