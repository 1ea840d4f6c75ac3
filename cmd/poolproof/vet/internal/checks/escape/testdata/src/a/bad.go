package a

import (
	"bufs"
	"bytes"
	"io"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type message struct{ body []byte }

func field(m *message) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	m.body = b.Bytes() // want `stored in a field`
}

func channel(out chan<- *bytes.Buffer) {
	b := bufs.Get()
	out <- b // want `b is sent to a channel`
	bufs.Put(b)
}

func inMap(all map[string]*bytes.Buffer) {
	b := bufs.Get()
	defer bufs.Put(b)
	all["x"] = b // want `stored in a map`
}

var last *bytes.Buffer

func global() {
	b := bufs.Get()
	last = b // want `stored in a package variable`
	bufs.Put(b)
}

func goroutine(w io.Writer) {
	b := bufs.Get()
	defer bufs.Put(b)
	go func() { // want `b is used by a goroutine that this function does not wait for, but the deferred Put \(line 42\) puts b in the pool bufs.pool`
		w.Write(b.Bytes())
	}()
}

func outParameter(dst *[]byte) {
	b := bufs.Get()
	defer bufs.Put(b)
	*dst = b.Bytes() // want `stored in a field`
}

func keep(b *bytes.Buffer) { last = b }

func callee() {
	b := bufs.Get()
	keep(b) // want `kept by the function`
	bufs.Put(b)
}
