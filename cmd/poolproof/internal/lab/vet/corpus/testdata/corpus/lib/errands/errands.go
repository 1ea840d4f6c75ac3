// Package errands does things with memory of others, some of them later.
package errands

import (
	"context"
	"io"
	"sync"
	"time"
)

// Post writes p when it has the time.
func Post(w io.Writer, p []byte) {
	go func() { _, _ = w.Write(p) }()
}

// PostAll writes all pages when it has the time.
func PostAll(w io.Writer, pages [][]byte) {
	for _, p := range pages {
		Post(w, p)
	}
}

// Within writes p, or gives up when time is up.
func Within(ctx context.Context, w io.Writer, p []byte) error {
	done := make(chan error, 1)
	go func() {
		_, err := w.Write(p)
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// AllOf writes p to all, and returns when that is done.
func AllOf(ws []io.Writer, p []byte) {
	var wg sync.WaitGroup
	for _, w := range ws {
		wg.Add(1)
		go func() {
			defer wg.Done()
			_, _ = w.Write(p)
		}()
	}
	wg.Wait()
}

// Patient writes p, and says in between that it is still at it.
func Patient(w io.Writer, p []byte, still func()) error {
	done := make(chan error)
	go func() {
		_, err := w.Write(p)
		done <- err
	}()
	for {
		select {
		case err := <-done:
			return err
		case <-time.After(time.Second):
			still()
		}
	}
}

// Accept starts to write p if there is room, and says so.
func Accept(slots chan struct{}, w io.Writer, p []byte) bool {
	select {
	case slots <- struct{}{}:
	default:
		return false
	}
	go func() {
		_, _ = w.Write(p)
		<-slots
	}()
	return true
}

// Measure tells how long p was, some time.
func Measure(p []byte, tell func(int)) {
	n := len(p)
	go tell(n)
}
