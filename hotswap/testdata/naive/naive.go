// Package naive is what is written first: an atomic.Pointer to the current value,
// and a sync.Pool that gets the old one right after the swap. It is wrong: a
// reader may still be in the old value when the next writer fills it.
package naive

import (
	"sync"
	"sync/atomic"
)

// Page is a value whose words are equal, unless a writer is in it.
type Page struct{ Words [64]uint64 }

var (
	current atomic.Pointer[Page]
	free    = sync.Pool{New: func() any { return new(Page) }}
)

// Update makes a page of n current.
func Update(n uint64) {
	next := free.Get().(*Page)
	for i := range next.Words {
		next.Words[i] = n
	}
	if old := current.Swap(next); old != nil {
		free.Put(old) // readers may be using old
	}
}

// Torn reports whether a reader sees two versions in one page.
func Torn() bool {
	page := current.Load()
	if page == nil {
		return false
	}
	first := page.Words[0]
	for _, w := range page.Words {
		if w != first {
			return true
		}
	}
	return false
}
