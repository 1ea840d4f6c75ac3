// Package retry publishes events to a broker, with some attempts for each.
package retry

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuf() *bytes.Buffer {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func putBuf(b *bytes.Buffer) { bufs.Put(b) }

// Event is what is published.
type Event struct {
	Topic string    `json:"topic"`
	At    time.Time `json:"at"`
	Data  any       `json:"data"`
}

// Publisher writes to a connection.
type Publisher struct {
	conn     io.Writer
	attempts int
	pause    time.Duration
}

// Publish sends e. It gives up after the last attempt, or when ctx ends.
func (p *Publisher) Publish(ctx context.Context, e Event) error {
	b := getBuf()
	defer putBuf(b)
	if err := json.NewEncoder(b).Encode(e); err != nil {
		return fmt.Errorf("event for %s: %w", e.Topic, err)
	}
	for try := 1; ; try++ {
		_, err := p.conn.Write(b.Bytes())
		if err == nil {
			return nil
		}
		if try >= p.attempts {
			putBuf(b) // want PV002
			return fmt.Errorf("after %d attempts: %w", try, err)
		}
		select {
		case <-time.After(p.pause << try):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
