// Package parallelread reads the parts of a file at the same time.
package parallelread

import (
	"errors"
	"io"
	"sync"
)

var sheets = sync.Pool{New: func() any { b := make([]byte, 1<<16); return &b }}

type group struct {
	wg   sync.WaitGroup
	mu   sync.Mutex
	errs []error
}

func (g *group) run(f func() error) {
	g.wg.Add(1)
	go func() {
		defer g.wg.Done()
		if err := f(); err != nil {
			g.mu.Lock()
			g.errs = append(g.errs, err)
			g.mu.Unlock()
		}
	}()
}

func (g *group) wait() error { g.wg.Wait(); return errors.Join(g.errs...) }

// Copy reads size bytes in parts and writes them to w.
func Copy(w io.Writer, r io.ReaderAt, size, parts int) error {
	bp := sheets.Get().(*[]byte)
	defer sheets.Put(bp)
	buf := (*bp)[:min(size, len(*bp))]
	var g group
	step := (len(buf) + parts - 1) / parts
	for at := 0; at < len(buf); at += step {
		g.run(func() error {
			_, err := r.ReadAt(buf[at:min(at+step, len(buf))], int64(at))
			return err
		})
	}
	if err := g.wait(); err != nil {
		return err
	}
	_, err := w.Write(buf)
	return err
}
