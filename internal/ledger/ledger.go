// Package ledger knows which objects of a pool are out: handed to a caller and
// not given back.
//
// A pool has a Book. It tells the Book of each object that it hands out (Out)
// and gets back (In), by address. A Book keeps no object alive. When an object
// is collected while it is out, it is lost: its owner forgot to give it back.
//
// The same calls serve both builds. In the normal one only pools at the level
// Leaks have a Book; objects are used again, and their tickets with them, so
// that a call is a look-up in a map under a mutex and allocates nothing. In the
// checked build (-tags poolproofdebug) each pool has one, tickets carry the
// stacks of both calls, every ticket of an object that is out can be listed
// (Outstanding), also after the object was collected, and objects that were
// given back can be watched for writes (Watch).
package ledger

import (
	"hash/maphash"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"
)

// clock numbers the calls of Out.
var clock atomic.Uint64

// Now returns the number of the last call of Out in the process: what is handed
// out later has a greater number.
func Now() uint64 { return clock.Load() }

// Containers begins the name of a Book that lists containers of package hotswap:
// those that were dropped with a current value, which their pools miss.
const Containers = "hotswap.Container["

// Origin is a Book's knowledge of an object that is given back.
type Origin int

const (
	Owned   Origin = iota // it was out, and now is not
	Foreign               // this Book did not know it; now it does, as given back
	Twice                 // it has been given back before and was not handed out since
)

// Book is the table of the objects of one pool. It is made by NewBook and safe
// for concurrent use.
type Book struct {
	name string
	out  atomic.Int64  // objects that are out and not lost
	lost atomic.Uint64 // objects that were collected while out

	shards [16]shard

	graveyard struct {
		mu   sync.Mutex
		lost []Entry // checked build only
	}
	quarantine quarantine

	also atomic.Pointer[func() []Written] // see AlsoVerify
}

// shard is a part of a Book. An address belongs to one shard; a neighbour in
// the array is on another cache line.
type shard struct {
	mu      sync.Mutex
	tickets map[uintptr]*ticket
	_       [112]byte
}

// ticket is the record of one object from the first call that names it until
// its collection. It must not refer to the object, which would then never be
// collected. Its fields are guarded by the mutex of its shard.
type ticket struct {
	book *Book
	addr uintptr
	size int
	// object tells whether the object at addr is still the one that the ticket
	// was made for, and not a later one at the same address: between a
	// collection and the cleanup there is a stale ticket. It is the zero value
	// for an object that is not on the heap, whose address is never used again.
	object weak.Pointer[byte]
	calls  *calls // nil in the normal build
	heap   bool
	out    bool
}

// calls holds the last Out and In of an object, for the checked build.
type calls struct {
	seq      uint64
	got, put Stack
}

// entry returns what t knows.
func (t *ticket) entry() Entry {
	e := Entry{Pool: t.book.name, Addr: t.addr, Size: t.size}
	if t.calls != nil {
		e.Seq, e.Got, e.Put = t.calls.seq, t.calls.got, t.calls.put
	}
	return e
}

// NewBook returns an empty Book for the pool of that name. In the checked build
// it is listed in Outstanding until Close.
func NewBook(pool string) *Book {
	b := &Book{name: pool}
	b.quarantine.seed = maphash.MakeSeed()
	for i := range b.shards {
		b.shards[i].tickets = make(map[uintptr]*ticket)
	}
	enlist(b)
	Watch()
	return b
}

// Name returns the name of the pool.
func (b *Book) Name() string { return b.name }

// InUse returns the number of objects that are out and were not collected.
func (b *Book) InUse() int64 { return b.out.Load() }

// Lost returns the number of objects that were collected while they were out.
func (b *Book) Lost() uint64 { return b.lost.Load() }

// shard returns the shard of an address.
func (b *Book) shard(addr uintptr) *shard {
	// Fibonacci hashing: the high bits of the product depend on all bits.
	h := uint64(addr) * 0x9e3779b97f4a7c15
	return &b.shards[h>>60]
}

// Out records that the pool hands out the object at x, of size bytes. x must not
// be nil, must point to at least one byte, and must be what In is told later.
func (b *Book) Out(x unsafe.Pointer, size int, got Stack) {
	s := b.shard(uintptr(x))
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.find(x)
	if t == nil {
		t = b.issue(s, x)
	}
	if !t.out {
		t.out = true
		b.out.Add(1)
	}
	t.size = size
	if Checked {
		t.calls = &calls{seq: clock.Add(1), got: got}
	}
}

// In records that the object at x is given back, and returns what was known of
// it: with Twice, before holds the stacks of the first time.
func (b *Book) In(x unsafe.Pointer, size int, put Stack) (o Origin, before Entry) {
	s := b.shard(uintptr(x))
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.find(x)
	switch {
	case t == nil:
		t = b.issue(s, x)
		o = Foreign
	case t.out:
		t.out = false
		b.out.Add(-1)
		o = Owned
	default:
		return Twice, t.entry()
	}
	t.size = size
	if Checked {
		if t.calls == nil {
			t.calls = new(calls)
		}
		t.calls.put = put
	}
	return o, t.entry()
}

// Has reports whether the object at x is out.
func (b *Book) Has(x unsafe.Pointer) bool {
	s := b.shard(uintptr(x))
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.find(x)
	return t != nil && t.out
}

// find returns the ticket of the object at x, nil if there is none. A stale one
// is settled first. The caller holds s.mu.
func (s *shard) find(x unsafe.Pointer) *ticket {
	t := s.tickets[uintptr(x)]
	if t != nil && t.heap && t.object.Value() != (*byte)(x) {
		s.settle(t)
		return nil
	}
	return t
}

// issue makes the ticket of the object at x. The caller holds s.mu.
func (b *Book) issue(s *shard, x unsafe.Pointer) *ticket {
	t := &ticket{book: b, addr: uintptr(x)}
	s.tickets[t.addr] = t
	if onHeap(x, t) {
		t.heap = true
		t.object = weak.Make((*byte)(x))
	}
	return t
}

// onHeap attaches the cleanup of t to the object at x and reports whether the
// collector will ever take it. AddCleanup returns the zero Cleanup for memory of
// the linker, and panics for memory that Go does not know, such as a mapped
// file: that is never lost, and none of a pool's business.
func onHeap(x unsafe.Pointer, t *ticket) (yes bool) {
	defer func() { _ = recover() }()
	return runtime.AddCleanup((*byte)(x), (*ticket).collected, t) != runtime.Cleanup{}
}

// collected is the cleanup of the object of t.
func (t *ticket) collected() {
	s := t.book.shard(t.addr)
	s.mu.Lock()
	defer s.mu.Unlock()
	// A later object at the same address may have settled t already.
	if s.tickets[t.addr] == t {
		s.settle(t)
	}
}

// settle takes t, whose object was collected, from its shard, and counts the
// object as lost if it was out. The caller holds s.mu.
func (s *shard) settle(t *ticket) {
	delete(s.tickets, t.addr)
	if !t.out {
		return
	}
	b := t.book
	b.out.Add(-1)
	b.lost.Add(1)
	CountLoss(b.name)
	if Checked {
		e := t.entry()
		e.Collected = true
		b.graveyard.mu.Lock()
		b.graveyard.lost = append(b.graveyard.lost, e)
		b.graveyard.mu.Unlock()
	}
}

// Outstanding returns the objects that are out, those that were collected while
// they were out among them in the checked build, in the order in which they were
// handed out (of the normal build: in no order).
func (b *Book) Outstanding() []Entry {
	var entries []Entry
	for i := range b.shards {
		s := &b.shards[i]
		s.mu.Lock()
		for _, t := range s.tickets {
			if t.out {
				entries = append(entries, t.entry())
			}
		}
		s.mu.Unlock()
	}
	b.graveyard.mu.Lock()
	entries = append(entries, b.graveyard.lost...)
	b.graveyard.mu.Unlock()
	sortBySeq(entries)
	return entries
}
