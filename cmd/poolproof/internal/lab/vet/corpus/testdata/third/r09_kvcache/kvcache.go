// Package kvcache reads records from a file of fixed slots and keeps the popular ones in memory.
package kvcache

import (
	"encoding/binary"
	"errors"
	"io"
	"sync"
)

const slotSize = 256

var errEmpty = errors.New("kvcache: empty slot")

type record struct {
	hits  uint32
	size  uint16
	value [slotSize - 6]byte
}

func (r *record) decode(p []byte) {
	r.hits = binary.LittleEndian.Uint32(p)
	r.size = min(binary.LittleEndian.Uint16(p[4:]), uint16(len(r.value)))
	copy(r.value[:], p[6:])
}

func (r *record) text() string { return string(r.value[:r.size]) }

func (r *record) clone() *record {
	c := *r
	return &c
}

var records = sync.Pool{New: func() any { return new(record) }}

// Store reads slots.
type Store struct {
	file io.ReaderAt

	mu  sync.RWMutex
	hot map[int64]*record
}

// Open returns a Store of file.
func Open(file io.ReaderAt) *Store {
	return &Store{file: file, hot: make(map[int64]*record)}
}

// Get returns the value of a slot.
func (s *Store) Get(slot int64) (string, error) {
	s.mu.RLock()
	r, ok := s.hot[slot]
	s.mu.RUnlock()
	if ok {
		return r.text(), nil
	}
	var raw [slotSize]byte
	if _, err := s.file.ReadAt(raw[:], slot*slotSize); err != nil {
		return "", err
	}
	r = records.Get().(*record)
	defer records.Put(r)
	r.decode(raw[:])
	if r.size == 0 {
		return "", errEmpty
	}
	if r.hits > 1000 {
		s.mu.Lock()
		s.hot[slot] = r.clone()
		s.mu.Unlock()
	}
	return r.text(), nil
}
