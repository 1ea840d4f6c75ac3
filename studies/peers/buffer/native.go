package bufferpeers

// native says how the buffers B of a peer are handled. It is the counted form
// of a peer: its functions are called through variables, so the time of a Ring
// has some nanoseconds of ours in each use, the same for all peers.
type native[B any] struct {
	get   func(size int) B      // of length size
	empty func() B              // of length 0, for content of unknown size
	write func(b B, p []byte) B // appends p
	bytes func(b B) []byte      // what is in b
	holds func(b B) int         // bytes of memory that b keeps
	put   func(b B)             // gives b back
}

// Hold implements Pool.
func (n native[B]) Hold(size int) Held {
	b := n.get(size)
	return Held{Bytes: n.bytes(b), Capacity: n.holds(b), Release: func() { n.put(b) }}
}

// Ring implements Pool.
func (n native[B]) Ring(places int) Ring {
	return &ring[B]{native: n, slots: make([]slot[B], places)}
}

type slot[B any] struct {
	buffer       B
	used         bool
	held, needed int
}

// ring implements Ring.
type ring[B any] struct {
	native[B]
	slots        []slot[B]
	newest       int
	held, needed int    // by the buffers in flight now
	sumHeld      uint64 // over all uses
	sumNeeded    uint64
}

// chunk is the data that Append writes.
var chunk = func() (c [Chunk]byte) {
	for i := range c {
		c[i] = byte(i%251 + 1)
	}
	return c
}()

func (r *ring[B]) Known(size int) {
	s := r.next()
	s.buffer = r.get(size)
	touch(r.bytes(s.buffer))
	r.count(s, size)
}

func (r *ring[B]) Append(size int) {
	s := r.next()
	b := r.empty()
	for rest := size; rest > 0; rest -= Chunk {
		b = r.write(b, chunk[:min(rest, Chunk)])
	}
	s.buffer = b
	r.count(s, size)
}

// next releases the oldest buffer and returns its place.
func (r *ring[B]) next() *slot[B] {
	r.newest = (r.newest + 1) % len(r.slots)
	s := &r.slots[r.newest]
	r.release(s)
	return s
}

func (r *ring[B]) release(s *slot[B]) {
	if s.used {
		r.put(s.buffer)
		r.held -= s.held
		r.needed -= s.needed
		*s = slot[B]{}
	}
}

func (r *ring[B]) count(s *slot[B], size int) {
	s.used, s.held, s.needed = true, r.holds(s.buffer), size
	r.held += s.held
	r.needed += s.needed
	r.sumHeld += uint64(r.held)
	r.sumNeeded += uint64(r.needed)
}

func (r *ring[B]) Content() []byte { return r.bytes(r.slots[r.newest].buffer) }

func (r *ring[B]) Flow() (held, needed uint64) { return r.sumHeld, r.sumNeeded }

func (r *ring[B]) Drain() {
	for i := range r.slots {
		r.release(&r.slots[i])
	}
}

// slices returns the native form of peers whose buffers are slices: get returns
// one of length size, put takes it back. One that is full moves to memory
// of twice the size, as append would, and its former memory goes back at once.
func slices(get func(size int) []byte, put func([]byte)) native[[]byte] {
	return native[[]byte]{
		get:   get,
		empty: func() []byte { return get(Chunk)[:0] },
		write: func(b, p []byte) []byte {
			if len(b)+len(p) > cap(b) {
				larger := get(max(2*cap(b), len(b)+len(p)))[:len(b)]
				copy(larger, b)
				put(b)
				b = larger
			}
			return append(b, p...)
		},
		bytes: func(b []byte) []byte { return b },
		holds: func(b []byte) int { return cap(b) },
		put:   put,
	}
}

// pointers is slices for peers whose buffers are *[]byte.
func pointers(get func(size int) *[]byte, put func(*[]byte)) native[*[]byte] {
	return native[*[]byte]{
		get: get,
		empty: func() *[]byte {
			b := get(Chunk)
			*b = (*b)[:0]
			return b
		},
		write: func(b *[]byte, p []byte) *[]byte {
			if len(*b)+len(p) > cap(*b) {
				larger := get(max(2*cap(*b), len(*b)+len(p)))
				*larger = append((*larger)[:0], *b...)
				put(b)
				b = larger
			}
			*b = append(*b, p...)
			return b
		},
		bytes: func(b *[]byte) []byte { return *b },
		holds: func(b *[]byte) int { return cap(*b) },
		put:   put,
	}
}
