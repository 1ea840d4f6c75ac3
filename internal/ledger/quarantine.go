package ledger

import (
	"fmt"
	"hash/maphash"
	"sync"
	"unsafe"
)

// A quarantine watches at most so many objects and bytes of one pool; the one
// that has been there longest leaves first.
const (
	maxWatched      = 64
	maxWatchedBytes = 16 << 20
)

// quarantine holds objects that were given back, in the order in which they
// were, with a hash of their memory. Until they leave it, no code may write them.
// It keeps them alive.
type quarantine struct {
	seed    maphash.Seed
	mu      sync.Mutex
	watched []watched
	bytes   int
}

// watched is one object in quarantine.
type watched struct {
	entry Entry
	x     unsafe.Pointer
	size  int
	hash  uint64
}

// Written is an object that was written after it was given back.
type Written struct {
	Entry
	Says string // in place of what String says of an object of a pool
}

// String says which object it was and where it was got and given back. Where it
// was written is not known.
func (w Written) String() string {
	if w.Says != "" {
		return w.Pool + ": " + w.Says
	}
	return fmt.Sprintf("%s: an object of %d bytes at %#x was written after Put\n\nit was got at\n%s\nand put at\n%s",
		w.Pool, w.Size, w.Addr, w.Got, w.Put)
}

func (w *watched) sum(seed maphash.Seed) uint64 {
	return maphash.Bytes(seed, unsafe.Slice((*byte)(w.x), w.size))
}

// check appends w to found if its memory has changed since the last look.
func (w *watched) check(seed maphash.Seed, found []Written) []Written {
	sum := w.sum(seed)
	if sum == w.hash {
		return found
	}
	w.hash = sum
	return append(found, Written{Entry: w.entry})
}

// Watch puts the size bytes at x, which entry describes and which has no owner
// any more, under watch. It returns the finds among the objects that leave the
// quarantine for it.
func (b *Book) Watch(x unsafe.Pointer, size int, entry Entry) (found []Written) {
	q := &b.quarantine
	w := watched{entry: entry, x: x, size: size}
	w.hash = w.sum(q.seed)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.watched = append(q.watched, w)
	q.bytes += size
	leave := 0
	for len(q.watched)-leave > maxWatched || q.bytes > maxWatchedBytes && leave < len(q.watched)-1 {
		q.bytes -= q.watched[leave].size
		found = q.watched[leave].check(q.seed, found)
		leave++
	}
	rest := copy(q.watched, q.watched[leave:])
	clear(q.watched[rest:])
	q.watched = q.watched[:rest]
	return found
}

// Verify looks at all objects under watch and returns those that were written,
// each once.
func (b *Book) Verify() (found []Written) {
	q := &b.quarantine
	q.mu.Lock()
	defer q.mu.Unlock()
	for i := range q.watched {
		found = q.watched[i].check(q.seed, found)
	}
	if also := b.also.Load(); also != nil {
		found = append(found, (*also)()...)
	}
	return found
}

// AlsoVerify has Verify ask also, for a pool that watches its memory itself. also
// must not keep the pool alive.
func (b *Book) AlsoVerify(also func() []Written) { b.also.Store(&also) }

// Drain is Verify, after which no object is under watch.
func (b *Book) Drain() (found []Written) {
	found = b.Verify()
	q := &b.quarantine
	q.mu.Lock()
	defer q.mu.Unlock()
	q.watched, q.bytes = nil, 0
	return found
}

// Watched returns how many objects are under watch.
func (b *Book) Watched() int {
	q := &b.quarantine
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.watched)
}
