package a

import (
	"bufs"
	"bytes"
)

func either(fail bool) {
	b := bufs.Get()
	if fail {
		bufs.Put(b)
		return
	}
	bufs.Put(b)
}

func forgotten(fail bool) {
	b := bufs.Get()
	defer func() {
		if b != nil {
			bufs.Put(b)
		}
	}()
	if fail {
		bufs.Put(b)
		b = nil
	}
}

func flag(fail bool) {
	b := bufs.Get()
	done := false
	if fail {
		bufs.Put(b)
		done = true
	}
	if !done {
		bufs.Put(b)
	}
}

func eachRound(n int) {
	for range n {
		b := bufs.Get()
		bufs.Put(b)
	}
}

func replaced() {
	b := bufs.Get()
	bufs.Put(b)
	b = bufs.Get()
	bufs.Put(b)
}

type holder struct{ b *bytes.Buffer }

func another(h *holder) {
	bufs.Put(h.b)
	h.b = bufs.Get()
	bufs.Put(h.b)
	h.b = nil
}
