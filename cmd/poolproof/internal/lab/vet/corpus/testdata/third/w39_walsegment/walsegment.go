// Package walsegment collects entries of a write-ahead log into segments and writes these out.
package walsegment

import (
	"encoding/binary"
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
	if len(l.cur.data)+len(entry)+4 > segmentSize {
		if err := l.rotate(); err != nil {
			return err
		}
	}
	l.cur.data = binary.BigEndian.AppendUint32(l.cur.data, uint32(len(entry)))
	l.cur.data = append(l.cur.data, entry...)
	l.next++
	return nil
}

func (l *Log) rotate() error {
	if err := l.flush(); err != nil {
		return err
	}
	l.cur = newSegment(l.next) // want PV005
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

// Close writes the last segment. The log cannot be used after it.
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
