// Package kvstore keeps keys and values in pages.
package kvstore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"sync"
)

const pageSize = 4096

type page struct {
	data  [pageSize]byte
	n     int
	dirty bool
}

var pages = sync.Pool{New: func() any { return new(page) }}

func acquire() *page {
	p := pages.Get().(*page)
	p.n, p.dirty = 0, false
	return p
}

func release(p *page) { pages.Put(p) }

type store struct {
	mu    sync.Mutex
	index map[string][]byte
	cur   *page
	r     io.ReaderAt
}

var errCorrupt = errors.New("corrupt page")

// load reads a page and refuses one whose header is wrong.
func (s *store) load(off int64) (*page, error) {
	p := acquire()
	n, err := s.r.ReadAt(p.data[:], off)
	if err != nil && err != io.EOF {
		release(p)
		return nil, err
	}
	if binary.BigEndian.Uint32(p.data[:]) != 0xfeed {
		return nil, errCorrupt // want "PV005"
	}
	p.n = n
	return p, nil
}

// get returns the value of a key in a page; the page goes back to the pool.
func (s *store) get(off int64, key []byte) ([]byte, error) {
	p, err := s.load(off)
	if err != nil {
		return nil, err
	}
	defer release(p)
	i := bytes.Index(p.data[:p.n], key)
	if i < 0 {
		return nil, errors.New("no such key")
	}
	return p.data[i+len(key) : p.n], nil // want "PV003"
}

// remember indexes the memory of a page that it releases.
func (s *store) remember(off int64, key string) error {
	p, err := s.load(off)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.index[key] = p.data[:p.n] // want "PV004"
	s.mu.Unlock()
	release(p)
	return nil
}

// rotate takes a new page and forgets to release the one that is full.
func (s *store) rotate() {
	if s.cur != nil && s.cur.n == pageSize {
		s.cur = acquire() // want "PV005|PV006"
	}
}

func (s *store) close() {
	if s.cur != nil {
		release(s.cur)
		s.cur = nil
	}
}

// compact merges two pages and releases one of them twice when they are equal.
func (s *store) compact(a, b int64) error {
	p, err := s.load(a)
	if err != nil {
		return err
	}
	q, err := s.load(b)
	if err != nil {
		release(p)
		return err
	}
	keep := p
	if q.n > p.n {
		keep = q
	}
	s.write(keep)
	release(keep)
	release(p) // want "PV002"
	release(q)
	return nil
}

func (s *store) write(p *page) {
	s.mu.Lock()
	s.index["last"] = bytes.Clone(p.data[:p.n])
	s.mu.Unlock()
}
