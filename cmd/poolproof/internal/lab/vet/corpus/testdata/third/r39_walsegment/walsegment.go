// Package walsegment collects entries of a write-ahead log into segments and writes these out.
package walsegment

import (
	"encoding/binary"
	"errors"
	"io"
	"sync"
)

type segment struct {
	first uint64
	data  []byte
}

const segmentSize = 1 << 16

var segments = sync.Pool{New: func() any { return &segment{data: make([]byte, 0, segmentSize)} }}

func newSegment(first uint64) *segment {
	s := segments.Get().(*segment)
	s.first, s.data = first, s.data[:0]
	return s
}

var errClosed = errors.New("walsegment: closed")

// Log is a write-ahead log.
type Log struct {
	mu   sync.Mutex
	w    io.Writer
	cur  *segment
	next uint64
}

// New returns a log that begins with the entry first.
func New(w io.Writer, first uint64) *Log {
	return &Log{w: w, cur: newSegment(first), next: first}
}

// Append adds an entry.
func (l *Log) Append(entry []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cur == nil {
		return errClosed
	}
	if len(l.cur.data)+len(entry)+4 > segmentSize {
		if err := l.flush(); err != nil {
			return err
		}
		old := l.cur
		l.cur = newSegment(l.next)
		segments.Put(old)
	}
	l.cur.data = binary.BigEndian.AppendUint32(l.cur.data, uint32(len(entry)))
	l.cur.data = append(l.cur.data, entry...)
	l.next++
	return nil
}

func (l *Log) flush() error {
	var h [8]byte
	binary.BigEndian.PutUint64(h[:], l.cur.first)
	if _, err := l.w.Write(h[:]); err != nil {
		return err
	}
	_, err := l.w.Write(l.cur.data)
	return err
}

// Close writes the last segment.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cur == nil {
		return nil
	}
	err := l.flush()
	segments.Put(l.cur)
	l.cur = nil
	return err
}
