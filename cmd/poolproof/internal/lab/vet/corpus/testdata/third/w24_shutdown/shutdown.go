// Package shutdown writes the state of a service to disk when it ends, if that does not take too long.
package shutdown

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"os"
	"sync"
)

var states = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// A Part is a part of the service that has state.
type Part interface {
	Name() string
	State() any
}

// Save writes the state of each part to a file, and stops waiting when ctx ends.
func Save(ctx context.Context, dir string, parts []Part) error {
	for _, p := range parts {
		if err := save(ctx, dir, p); err != nil {
			return fmt.Errorf("state of %s: %w", p.Name(), err)
		}
	}
	return nil
}

func save(ctx context.Context, dir string, p Part) error {
	b := states.Get().(*bytes.Buffer)
	b.Reset()
	defer states.Put(b)
	if err := gob.NewEncoder(b).Encode(p.State()); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { // want PV004
		done <- os.WriteFile(dir+"/"+p.Name()+".state", b.Bytes(), 0o600)
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
