// Package slowquery calls a slow backend with a time limit.
package slowquery

import (
	"context"
	"sync"
)

type answer struct {
	text string
	err  error
}

var bufs = sync.Pool{New: func() any { b := make([]byte, 8192); return &b }}

// Query asks read and returns the text, or an error at the deadline.
func Query(ctx context.Context, read func(p []byte) (int, error)) (string, error) {
	done := make(chan answer, 1)
	go func() {
		bp := bufs.Get().(*[]byte)
		defer bufs.Put(bp)
		n, err := read(*bp)
		done <- answer{string((*bp)[:n]), err}
	}()
	select {
	case a := <-done:
		return a.text, a.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
