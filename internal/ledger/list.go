package ledger

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
)

// process holds the state of the whole process.
var process struct {
	mu     sync.Mutex
	books  map[*Book]struct{} // checked build only
	losses map[string]uint64  // by pool
	// written are finds in the quarantines of pools that are gone.
	written []Written
}

// watching is set once a pool of the process counts what it loses.
var watching atomic.Bool

// Watch says that there is a pool that counts what it loses.
func Watch() { watching.Store(true) }

// Watching reports whether there is or was such a pool: if not, no look at Losses
// can find anything.
func Watching() bool { return watching.Load() }

// CountLoss counts an object of pool that was collected while it was out. A Book
// does so itself; it is for pools that watch their objects without one.
func CountLoss(pool string) {
	process.mu.Lock()
	defer process.mu.Unlock()
	if process.losses == nil {
		process.losses = make(map[string]uint64)
	}
	process.losses[pool]++
}

// Losses returns, by pool, how many objects were collected while they were out,
// since the process began. Pools of the same name are counted together; one
// that is gone is counted too.
func Losses() map[string]uint64 {
	process.mu.Lock()
	defer process.mu.Unlock()
	return maps.Clone(process.losses)
}

// enlist makes b known to Outstanding in the checked build.
func enlist(b *Book) {
	if !Checked {
		return
	}
	process.mu.Lock()
	defer process.mu.Unlock()
	if process.books == nil {
		process.books = make(map[*Book]struct{})
	}
	process.books[b] = struct{}{}
}

// listed returns the books that are listed, in no order.
func listed() []*Book {
	process.mu.Lock()
	defer process.mu.Unlock()
	return slices.Collect(maps.Keys(process.books))
}

func sortBySeq(entries []Entry) {
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Seq, b.Seq) })
}
