package bufferclasses

import "encoding/binary"

// Arm is a way of keeping buffers, with a number of buffers in flight. It is for
// one goroutine.
type Arm interface {
	// Known replaces the oldest buffer by one of length size and fills it. It
	// returns the sum of what was read from it.
	Known(size int) (sum uint64)
	// Append is Known for a buffer that does not know how much will be written.
	Append(size int) (sum uint64)
	// Drain gives back all buffers.
	Drain()
	// Counts returns what was counted since the Arm was made.
	Counts() Counts
}

// Counts are totals over all uses.
type Counts struct {
	Held   uint64 // bytes of memory of all buffers in flight, after each use
	Needed uint64 // bytes in them
	Made   uint64 // pieces of memory allocated
}

// Sub returns the counts since before.
func (c Counts) Sub(before Counts) Counts {
	return Counts{c.Held - before.Held, c.Needed - before.Needed, c.Made - before.Made}
}

// chunk is how many bytes are written at a time.
const chunk = 512

// source is the data that is written.
var source = func() (s [chunk]byte) {
	for i := range s {
		s[i] = byte(i*7 + 1)
	}
	return s
}()

// read returns the sum of the first word of each chunk of b.
func read(b []byte) (sum uint64) {
	for ; len(b) >= 8; b = b[min(chunk, len(b)):] {
		sum += binary.LittleEndian.Uint64(b)
	}
	return sum + uint64(len(b))
}

// keeper is implemented by each arm. B is a buffer.
type keeper[B any] interface {
	get(size int) B        // of length size
	empty() B              // of length 0
	write(b B, p []byte) B // appends p
	bytes(b B) []byte      // what is in b
	holds(b B) int         // bytes of memory that b keeps
	put(b B)               // gives b back
	made() uint64          // pieces of memory allocated so far
}

// ring implements Arm.
type ring[B any, K keeper[B]] struct {
	keeper       K
	slots        []slot[B]
	newest       int
	held, needed int // in flight now
	total        Counts
}

type slot[B any] struct {
	buffer       B
	used         bool
	held, needed int
}

func newRing[B any, K keeper[B]](k K, flight int) *ring[B, K] {
	return &ring[B, K]{keeper: k, slots: make([]slot[B], flight)}
}

func (r *ring[B, K]) Known(size int) (sum uint64) {
	s := r.next()
	b := r.keeper.get(size)
	for rest := r.keeper.bytes(b); len(rest) > 0; rest = rest[min(chunk, len(rest)):] {
		copy(rest, source[:])
	}
	return r.keep(s, b, size)
}

func (r *ring[B, K]) Append(size int) (sum uint64) {
	s := r.next()
	b := r.keeper.empty()
	for rest := size; rest > 0; rest -= chunk {
		b = r.keeper.write(b, source[:min(rest, chunk)])
	}
	return r.keep(s, b, size)
}

// next gives back the oldest buffer and returns its place.
func (r *ring[B, K]) next() *slot[B] {
	r.newest = (r.newest + 1) % len(r.slots)
	s := &r.slots[r.newest]
	r.release(s)
	return s
}

func (r *ring[B, K]) release(s *slot[B]) {
	if s.used {
		r.keeper.put(s.buffer)
		r.held -= s.held
		r.needed -= s.needed
		*s = slot[B]{}
	}
}

func (r *ring[B, K]) keep(s *slot[B], b B, size int) (sum uint64) {
	*s = slot[B]{b, true, r.keeper.holds(b), size}
	r.held += s.held
	r.needed += s.needed
	r.total.Held += uint64(r.held)
	r.total.Needed += uint64(r.needed)
	return read(r.keeper.bytes(b))
}

func (r *ring[B, K]) Drain() {
	for i := range r.slots {
		r.release(&r.slots[i])
	}
}

func (r *ring[B, K]) Counts() Counts {
	c := r.total
	c.Made = r.keeper.made()
	return c
}
