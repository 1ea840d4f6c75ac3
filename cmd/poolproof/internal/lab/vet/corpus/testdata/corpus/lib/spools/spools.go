// Package spools has writers that are new each time, and whose memory is pooled.
package spools

import (
	"errors"
	"sync"
)

type page struct{ text [512]byte }

var pages = sync.Pool{New: func() any { return new(page) }}

var errFull = errors.New("spools: the page is full")

// Spool is a page in the making. Its owner calls Done in the end.
type Spool struct {
	page *page
	n    int
}

// Open returns an empty spool.
func Open() *Spool { return &Spool{page: pages.Get().(*page)} }

// Add writes p behind what is there.
func (s *Spool) Add(p string) error {
	if len(p) > len(s.page.text)-s.n {
		return errFull
	}
	s.n += copy(s.page.text[s.n:], p)
	return nil
}

// Text returns what was written, until Done.
func (s *Spool) Text() []byte { return s.page.text[:s.n] }

// Done gives the page back.
func (s *Spool) Done() {
	if s.page != nil {
		p := s.page
		s.page, s.n = nil, 0
		pages.Put(p)
	}
}
