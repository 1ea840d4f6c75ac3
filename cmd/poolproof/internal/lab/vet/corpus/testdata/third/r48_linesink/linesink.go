// Package linesink collects lines and writes them together: when there are enough, at each tick, and
// at the end.
package linesink

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

var errClosed = errors.New("linesink: closed")

const enough = 32 << 10

// Sink holds a buffer only while there are lines in it.
type Sink struct {
	w io.Writer

	mu     sync.Mutex
	buf    *bytes.Buffer
	closed bool
}

// New returns a Sink that writes to w.
func New(w io.Writer) *Sink { return &Sink{w: w} }

// Add adds a line.
func (s *Sink) Add(line string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	if s.buf == nil {
		s.buf = bufs.Get().(*bytes.Buffer)
		s.buf.Reset()
	}
	s.buf.WriteString(line)
	s.buf.WriteByte('\n')
	if s.buf.Len() < enough {
		return nil
	}
	return s.flush()
}

func (s *Sink) flush() error {
	b := s.buf
	if b == nil {
		return nil
	}
	s.buf = nil
	_, err := s.w.Write(b.Bytes())
	bufs.Put(b)
	return err
}

// Run writes at each tick until ctx ends, and then what is left.
func (s *Sink) Run(ctx context.Context, every time.Duration) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			s.mu.Lock()
			err := s.flush()
			s.mu.Unlock()
			if err != nil {
				return errors.Join(err, s.Close())
			}
		case <-ctx.Done():
			return s.Close()
		}
	}
}

// Close writes what is left. No line can be added after it.
func (s *Sink) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return s.flush()
}
