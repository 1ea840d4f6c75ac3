package a

import (
	"bytes"
	"io"
	"sync"
)

const limit = 64 << 10

func byCap(b *bytes.Buffer) {
	if b.Cap() > limit {
		return
	}
	b.Reset()
	buffers.Put(b)
}

func deferred(w io.Writer, r io.Reader) {
	b := buffers.Get().(*bytes.Buffer)
	defer func() {
		if b.Cap() <= limit {
			buffers.Put(b)
		}
	}()
	b.ReadFrom(r)
	b.WriteTo(w)
}

func byLen(b *bytes.Buffer) {
	if len(b.Bytes()) < limit {
		buffers.Put(b)
	}
}

func bySlice(p *[]int) {
	if cap(*p) <= limit {
		slices.Put(p)
	}
}

func bySwitch(p *[]int) {
	switch {
	case cap(*p) > limit:
	default:
		slices.Put(p)
	}
}

func byName(p *[]int) {
	n := cap(*p)
	if n > limit {
		return
	}
	slices.Put(p)
}

// A pool for each size.
var classes [8]sync.Pool

func byClass(p *[]int) { classes[class(cap(*p))].Put(p) }

func class(n int) int { return n % 8 }

// As large as New makes them: nobody appends to such.
var blocks = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

func read(r io.Reader) {
	p := blocks.Get().(*[]byte)
	defer blocks.Put(p)
	n, _ := r.Read(*p)
	*p = (*p)[:n]
}

// What does not grow.
var readers = sync.Pool{New: func() any { return new(bytes.Reader) }}

func putReader(r *bytes.Reader) { readers.Put(r) }
