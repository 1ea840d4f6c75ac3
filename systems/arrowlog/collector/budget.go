package collector

import "sync"

// budget is memory in bytes that requests share. It is safe for concurrent use.
type budget struct {
	mu   sync.Mutex
	left int64
}

// take takes n bytes, or none of them and returns false.
func (b *budget) take(n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n > b.left {
		return false
	}
	b.left -= n
	return true
}

func (b *budget) give(n int64) {
	b.mu.Lock()
	b.left += n
	b.mu.Unlock()
}

// share is the part of a budget that one request has taken.
type share struct {
	from *budget
	n    int64
}

// atLeast makes the share n bytes if it is less, or returns false.
func (s *share) atLeast(n int64) bool {
	if n > s.n {
		if !s.from.take(n - s.n) {
			return false
		}
		s.n = n
	}
	return true
}

// giveBack makes the share n bytes if it is more.
func (s *share) giveBack(n int64) {
	if n < s.n {
		s.from.give(s.n - n)
		s.n = n
	}
}
