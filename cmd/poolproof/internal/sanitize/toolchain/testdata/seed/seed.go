// Package seed has one misuse a test. A comment at the end of a line names
// what happens there.
package seed

import (
	"bytes"
	"sync"
)

type item struct {
	n   int
	buf []byte
}

var items = sync.Pool{New: func() any { return &item{buf: make([]byte, 0, 64)} }}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

var bare sync.Pool // without New

// worker has a goroutine of its own.
type worker struct {
	n    int
	next chan int
}

func (w *worker) start() {
	go func() {
		for range w.next {
			w.n++ // worker
			w.next <- 0
		}
	}()
}

var workers = sync.Pool{New: func() any { return &worker{next: make(chan int)} }}

var single = &item{}

var singles = sync.Pool{New: func() any {
	single.n++
	return single
}}
