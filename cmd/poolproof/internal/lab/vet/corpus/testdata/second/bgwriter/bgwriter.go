// Package bgwriter writes logs in the background.
package bgwriter

import (
	"io"
	"sync"
	"sync/atomic"
)

// Writer writes in the background.
type Writer struct {
	ch      chan *[]byte
	free    sync.Pool
	dropped atomic.Int64
}

// New starts a writer to w.
func New(w io.Writer) *Writer {
	a := &Writer{ch: make(chan *[]byte, 64)}
	go a.loop(w)
	return a
}

func (a *Writer) loop(w io.Writer) {
	for bp := range a.ch {
		w.Write(*bp)
		a.free.Put(bp)
	}
}

// Write queues a copy of p.
func (a *Writer) Write(p []byte) (int, error) {
	bp, _ := a.free.Get().(*[]byte)
	if bp == nil {
		bp = new([]byte)
	}
	*bp = append((*bp)[:0], p...)
	select {
	case a.ch <- bp:
	default:
		a.dropped.Add(1)
		a.free.Put(bp)
	}
	return len(p), nil
}
