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

// Publish sends e. It gives up after the last attempt, or when ctx ends. Between two attempts it
// holds no buffer: a pause may be long.
func (p *Publisher) Publish(ctx context.Context, e Event) error {
	var last error
	for try := range p.attempts {
		if try > 0 {
			select {
			case <-time.After(p.pause << try):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		b := getBuf()
		if err := json.NewEncoder(b).Encode(e); err != nil {
			putBuf(b)
			return fmt.Errorf("event for %s: %w", e.Topic, err)
		}
		_, last = p.conn.Write(b.Bytes())
		putBuf(b)
		if last == nil {
			return nil
		}
	}
	return fmt.Errorf("after %d attempts: %w", p.attempts, last)
}
