// Package asyncwriter is a log writer that does not make its callers wait.
package asyncwriter

import (
	"io"
	"sync"
)

// Writer writes in the background.
type Writer struct {
	ch   chan *[]byte
	free sync.Pool
}

// New starts a writer to w.
func New(w io.Writer) *Writer {
	a := &Writer{ch: make(chan *[]byte, 64)}
	go func() {
		for bp := range a.ch {
			w.Write(*bp)
			a.free.Put(bp)
		}
	}()
	return a
}

// Write queues p.
func (a *Writer) Write(p []byte) (int, error) {
	select {
	case a.ch <- a.copyOf(p): // may "PV005|PV006"
	default: // full: drop the line, and keep its memory
		a.free.Put(&p) // want "PV021"
	}
	return len(p), nil
}

func (a *Writer) copyOf(p []byte) *[]byte {
	bp, _ := a.free.Get().(*[]byte)
	if bp == nil {
		bp = new([]byte)
	}
	*bp = append((*bp)[:0], p...)
	return bp
}
