package bufferpeers

// Peer is one way of keeping byte buffers.
type Peer struct {
	Name   string // as in benchmark names and tables
	Module string // import path of the package, empty for what Go brings
	Max    int    // largest size that it hands out, 0 for any

	// Clears says that a buffer handed out again is zero over its length.
	Clears bool

	// Like is the peer that keeps memory in the same way, if there is one: this
	// one then differs in time only.
	Like string

	// New returns a pool that nobody has used. What exists once in a process
	// is the exception (mcache): it is empty after two garbage collections.
	New func() Pool
}

// Takes reports whether the peer hands out buffers of that size.
func (p Peer) Takes(size int) bool { return p.Max == 0 || size <= p.Max }

// Pool is a peer as the tables measure it. It is safe for concurrent use.
type Pool interface {
	// Pairs gets a buffer of length size, writes its first and its last byte and
	// gives it back, n times one after the other, without allocating anything
	// beside what the peer itself does. It is written out for each peer, in the
	// form that a user would write: a call through an interface for each
	// Get and each Put would hide half of the differences.
	Pairs(size, n int)

	// Ring returns places for buffers that are in flight at the same time.
	// It is for one goroutine.
	Ring(places int) Ring

	// Hold takes a buffer of length size until release is called.
	Hold(size int) (b Held)
}

// Held is a buffer that is in use.
type Held struct {
	Bytes    []byte // of the length that was asked
	Capacity int    // bytes of memory that it keeps from others
	Release  func()
}

// Ring is a number of buffers in flight: each new one takes the place of the
// oldest, which is released first.
type Ring interface {
	// Known replaces the oldest buffer by one of length size.
	Known(size int)
	// Append replaces the oldest buffer by one into which size bytes are
	// written in chunks, without telling the pool how many will come.
	Append(size int)
	// Content returns the bytes of the newest buffer.
	Content() []byte
	// Flow returns the bytes of memory that the buffers in flight held and the
	// bytes that they needed, added up over all calls of Known and Append.
	Flow() (held, needed uint64)
	// Drain releases all buffers.
	Drain()
}

// Chunk is how many bytes are written at a time where the size is not known.
const Chunk = 512

// touch is the use of a buffer in Pairs.
func touch(b []byte) {
	b[0]++
	b[len(b)-1]++
}
