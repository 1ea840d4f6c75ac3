package a

import (
	"bufs"
	"bytes"
	"errors"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func twice() {
	b := buffers.Get().(*bytes.Buffer)
	buffers.Put(b)
	buffers.Put(b) // want `b is put again`
}

func onError(fail bool) {
	b := bufs.Get()
	defer bufs.Put(b) // want `b is put again by this deferred call`
	if fail {
		bufs.Put(b)
		return
	}
}

func twoNames() {
	b := bufs.Get()
	other := b
	bufs.Put(other)
	bufs.Put(b) // want `b is put again`
}

func inLoop(n int) {
	b := bufs.Get()
	for range n {
		bufs.Put(b) // want `in each round of the loop`
	}
}

func callee() {
	b := bufs.Get()
	finish(b)
	bufs.Put(b) // want `put again`
}

func finish(b *bytes.Buffer) {
	b.Reset()
	buffers.Put(b)
}

func startOrPut(b *bytes.Buffer) error {
	if b.Len() == 0 {
		bufs.Put(b)
		return errEmpty
	}
	return nil
}

var errEmpty = errors.New("empty")

// The caller asks for no error, and puts in each case.
func startedAtEnd() error {
	b := bufs.Get()
	defer bufs.Put(b) // want `b is put again by this deferred call: startOrPut \(line \d+\) put it`
	return startOrPut(b)
}

func startedWell() error {
	b := bufs.Get()
	if err := startOrPut(b); err != nil {
		return err
	}
	defer bufs.Put(b)
	b.WriteByte('x')
	return nil
}
