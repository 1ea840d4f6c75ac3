package kvstore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
)

func (s *store) loadRight(off int64) (p *page, err error) {
	p = acquire()
	defer func() {
		if err != nil {
			release(p)
			p = nil
		}
	}()
	n, err := s.r.ReadAt(p.data[:], off)
	if err != nil && err != io.EOF {
		return nil, err // fine "PV005" the deferred literal releases it
	}
	if binary.BigEndian.Uint32(p.data[:]) != 0xfeed {
		return nil, errCorrupt
	}
	p.n = n
	return p, nil
}

func (s *store) getRight(off int64, key []byte, dst []byte) ([]byte, error) {
	p, err := s.loadRight(off)
	if err != nil {
		return nil, err
	}
	defer release(p)
	i := bytes.Index(p.data[:p.n], key)
	if i < 0 {
		return nil, errors.New("no such key")
	}
	return append(dst, p.data[i+len(key):p.n]...), nil // fine "PV003" dst is the caller's
}

func (s *store) rotateRight() {
	if s.cur == nil {
		s.cur = acquire() // fine "PV006" close releases it
		return
	}
	if s.cur.n == pageSize {
		s.write(s.cur)
		release(s.cur)
		s.cur = acquire()
	}
}

// swap exchanges the current page for a new one and returns the old one.
func (s *store) swap() *page {
	old := s.cur
	s.cur = acquire()
	return old // fine "PV003" the caller releases it
}

func (s *store) drain() {
	if p := s.swap(); p != nil {
		s.write(p)
		release(p)
	}
}

// merge releases each page once.
func (s *store) merge(offs []int64) (total int, err error) {
	for _, off := range offs {
		p, err := s.loadRight(off)
		if err != nil {
			return total, err
		}
		total += p.n
		release(p)
	}
	return total, nil
}

// largest keeps the larger page and releases the smaller one in each round.
func (s *store) largest(offs []int64) (best *page, err error) {
	for _, off := range offs {
		p, err := s.loadRight(off)
		if err != nil {
			if best != nil {
				release(best)
			}
			return nil, err
		}
		if best == nil || p.n > best.n {
			if best != nil {
				release(best)
			}
			best = p
			continue
		}
		release(p)
	}
	return best, nil // fine "PV005" the caller releases it
}
