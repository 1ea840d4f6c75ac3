package reserve

import "sync/atomic"

// Budget is a number of bytes that several Stacks share. It is safe for
// concurrent use. A nil *Budget is without bound.
type Budget struct {
	left atomic.Int64
}

// NewBudget returns a budget of bytes.
func NewBudget(bytes int64) *Budget {
	b := &Budget{}
	b.left.Store(bytes)
	return b
}

// Left returns the bytes that are not taken.
func (b *Budget) Left() int64 { return b.left.Load() }

// take takes bytes and reports true, or takes nothing if so many are not left.
func (b *Budget) take(bytes int64) bool {
	if b == nil {
		return true
	}
	for {
		left := b.left.Load()
		if bytes > left {
			return false
		}
		if b.left.CompareAndSwap(left, left-bytes) {
			return true
		}
	}
}

// give returns bytes that were taken.
func (b *Budget) give(bytes int64) {
	if b != nil {
		b.left.Add(bytes)
	}
}
