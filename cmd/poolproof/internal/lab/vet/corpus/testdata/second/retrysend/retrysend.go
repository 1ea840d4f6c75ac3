// Package retrysend sends a document until it is accepted.
package retrysend

import (
	"bytes"
	"encoding/json"
	"sync"
	"time"
)

var docs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Sink accepts documents.
type Sink interface{ Accept(p []byte) error }

// Send encodes v and tries up to n times.
func Send(s Sink, v any, n int) error {
	buf := docs.Get().(*bytes.Buffer)
	buf.Reset()
	err := json.NewEncoder(buf).Encode(v)
	if err != nil {
		docs.Put(buf)
		return err
	}
	for i := 0; i < n; i++ {
		if err = s.Accept(buf.Bytes()); err == nil {
			docs.Put(buf)
			break
		}
		time.Sleep(time.Duration(i+1) * 100 * time.Millisecond)
	}
	docs.Put(buf) // want "PV002"
	return err
}
