package collector

import (
	"runtime"
	"sync"
)

// budget is memory in bytes that requests share. What a request gives back is garbage
// at first, and counts until a collection has freed it: requests that are refused
// quickly could otherwise make more of it than there is memory. It is safe for
// concurrent use.
type budget struct {
	mu      sync.Mutex
	all     int64
	left    int64
	garbage int64

	collecting sync.Mutex // is locked before mu
}

func newBudget(n int64) *budget { return &budget{all: n, left: n} }

// take takes n bytes, or none of them and returns false. It waits for a collection if
// that gives enough.
func (b *budget) take(n int64) bool {
	if b.takeNow(n) {
		return true
	}
	b.collecting.Lock()
	defer b.collecting.Unlock()
	if b.takeNow(n) { // another one has collected
		return true
	}
	b.mu.Lock()
	garbage := b.garbage
	// A collection for little is not worth its time.
	enough := n <= b.left+garbage && max(n, garbage) >= b.all/8
	b.mu.Unlock()
	if !enough {
		return false
	}
	runtime.GC()
	b.mu.Lock()
	b.garbage -= garbage
	b.left += garbage
	b.mu.Unlock()
	return b.takeNow(n)
}

func (b *budget) takeNow(n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n > b.left {
		return false
	}
	b.left -= n
	return true
}

// give gives n bytes back that others own.
func (b *budget) give(n int64) {
	b.mu.Lock()
	b.left += n
	b.mu.Unlock()
}

// discard gives n bytes back that nothing refers to any more.
func (b *budget) discard(n int64) {
	b.mu.Lock()
	b.garbage += n
	b.mu.Unlock()
}

// share is the part of a budget that one request has taken.
type share struct {
	from *budget
	n    int64
}

// more adds n bytes to the share, or returns false.
func (s *share) more(n int64) bool {
	if !s.from.take(n) {
		return false
	}
	s.n += n
	return true
}

// shrink makes the share n bytes, which are not more than it has.
func (s *share) shrink(n int64) {
	s.from.discard(s.n - n)
	s.n = n
}
