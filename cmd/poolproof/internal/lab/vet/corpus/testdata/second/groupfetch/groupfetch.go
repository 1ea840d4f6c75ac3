// Package groupfetch fetches the parts of a document at the same time.
package groupfetch

import (
	"errors"
	"io"
	"sync"
)

// Group runs functions and keeps the first error.
type Group struct {
	wg   sync.WaitGroup
	once sync.Once
	err  error
}

// Go runs f.
func (g *Group) Go(f func() error) {
	g.wg.Add(1)
	go func() {
		defer g.wg.Done()
		if err := f(); err != nil {
			g.once.Do(func() { g.err = err })
		}
	}()
}

// Wait waits for all.
func (g *Group) Wait() error { g.wg.Wait(); return g.err }

var sheets = sync.Pool{New: func() any { b := make([]byte, 1<<16); return &b }}

// Fetch reads both halves and writes them to w.
func Fetch(w io.Writer, head, tail io.ReaderAt, size int) error {
	bp := sheets.Get().(*[]byte)
	defer sheets.Put(bp)
	buf := *bp
	var g Group
	g.Go(func() error { _, err := head.ReadAt(buf[:size/2], 0); return err }) // want "PV004"
	if tail == nil {
		return errors.New("no tail")
	}
	g.Go(func() error { _, err := tail.ReadAt(buf[size/2:size], 0); return err })
	if err := g.Wait(); err != nil {
		return err
	}
	_, err := w.Write(buf[:size])
	return err
}
