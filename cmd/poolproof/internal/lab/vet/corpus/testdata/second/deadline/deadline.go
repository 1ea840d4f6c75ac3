// Package deadline calls a slow backend with a time limit.
package deadline

import (
	"errors"
	"io"
	"sync"
	"time"
)

// Backend fills p and says how much.
type Backend interface {
	Query(p []byte, q string) (int, error)
}

type answer struct {
	n   int
	err error
}

var bufs = sync.Pool{New: func() any { b := make([]byte, 8192); return &b }}

// Query asks b and writes the answer to w.
func Query(w io.Writer, b Backend, q string, limit time.Duration) error {
	bp := bufs.Get().(*[]byte)
	defer bufs.Put(bp)
	done := make(chan answer, 1)
	go func() {
		n, err := b.Query(*bp, q) // want "PV004"
		done <- answer{n, err}
	}()
	select {
	case a := <-done:
		if a.err != nil {
			return a.err
		}
		_, err := w.Write((*bp)[:a.n])
		return err
	case <-time.After(limit):
		return errors.New("deadline exceeded")
	}
}
