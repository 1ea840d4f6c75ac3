// Package fanout sends one message to many.
package fanout

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
)

var msgs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// All sends v to all writers at the same time.
func All(ctx context.Context, ws []io.Writer, v any) error {
	b := msgs.Get().(*bytes.Buffer)
	b.Reset()
	defer msgs.Put(b)
	if err := json.NewEncoder(b).Encode(v); err != nil {
		return err
	}
	var g sync.WaitGroup
	for _, w := range ws {
		g.Add(1)
		go func() {
			defer g.Done()
			w.Write(b.Bytes()) // want "PV004"
		}()
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	g.Wait()
	return nil
}

// First sends v to all, and returns when one is done.
func First(ws []io.Writer, v any) error {
	b := msgs.Get().(*bytes.Buffer)
	b.Reset()
	if err := json.NewEncoder(b).Encode(v); err != nil {
		msgs.Put(b)
		return err
	}
	done := make(chan error, len(ws))
	for _, w := range ws {
		go func() {
			_, err := w.Write(b.Bytes()) // want "PV004"
			done <- err
		}()
	}
	var last error
	for range ws {
		if last = <-done; last == nil {
			break
		}
	}
	msgs.Put(b)
	return errors.Join(last)
}
