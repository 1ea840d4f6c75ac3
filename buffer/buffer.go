package buffer

import (
	"fmt"
	"sync"
)

// Buffer is a piece of memory that its owner may read, write and grow. It has
// one owner at a time, who may use it from one goroutine at a time and gives it
// up by Release, CopyAndRelease, Take or Share. Every method panics after that, until
// the buffer is handed out again; from then on a method that the former owner
// calls works on the data of the next owner, which only the checked build always
// finds.
//
// A Buffer is handed out by a Pool or a Sized. The zero value has no owner:
// every method panics.
//
// The bytes that a new owner finds in a Buffer are not the owner's: [Pool.Get] and
// [Buffer.Resize] set the length to n, and unless the pool clears (Options.Zero)
// the n bytes are what another owner left. They become the owner's when Bytes,
// Fill or Take hands them out for writing. Until then nothing may be put after
// them: Write and its kin, ReadFrom and AvailableBuffer panic, in every build. And
// unless the pool clears they cannot go out: String, WriteTo, CopyAndRelease and
// Share panic. So Get followed by Write, the slip of one who comes from
// bytes.Buffer and its Grow, never sends the bytes of another owner: [Pool.Append]
// is the call that is meant.
type Buffer struct {
	checks checks // of the checked build; must not be last, as it may be empty

	// b is the bytes in use. It starts where the memory starts, and its capacity
	// is the whole memory: exactly the size of home, or what was asked if home
	// keeps nothing.
	b    []byte
	home *class // to which the memory belongs

	// put is called with front by Release, and does what b's class demands. It is
	// sync.Pool's own Put where the class demands nothing: so Release is one call,
	// and inlined.
	put   func(front *sync.Pool, b any)
	front *sync.Pool // of home

	// mark bounds what the owner may have written: b[mark:cap(b)] is as the pool
	// gave it, which is zero under ZeroUsed and what another owner left under
	// ZeroNone. Where mark is below the length, bytes in use are not the owner's.
	mark int

	state state
	turns uint8 // uses by Append, to sample one in so many (learner)
	early uint8 // uses that were counted as they happened, at most countEarly

	// At level Uses and above: what the owner asked for, and counts that have
	// not been added to the tally of home.
	want          int
	gets          uint32
	asked, handed uint64

	ticket *ticket    // at level Leaks
	refs   references // of the Shared that refer to this buffer
}

// Plain fields suffice because only a buffer's owner reads or writes them, and
// ownership passes through sync.Pool (a Put happens before the Get that returns
// the object), through the mutex of the reserve, through references, or through
// whatever the program hands a buffer over by. Two owners are a data race, which
// the race detector can see.

// state says who owns a buffer.
type state uint8

const (
	idle   state = iota // in the pool, or never handed out
	copied              // in the pool, by CopyAndRelease
	shared              // owned by its Shared
	taken               // without memory for ever
	made                // new, not handed out yet

	// With an owner; learning may be set too. A state below owned is
	// one without (the comparison lets Bytes be inlined).
	owned    state = 1 << 3
	learning state = 1 << 4 // its final length teaches Append: this use is sampled
)

// At level Uses a header adds its first countEarly uses to the statistics as they
// happen, so that a test and a program that has just begun see them. After that it
// counts flushEvery for itself before it adds them: uses that are many share a
// write.
const (
	countEarly = 64
	flushEvery = 64
)

// wantLength, as Buffer.want, means that what was asked for is the length at the
// end.
const wantLength = -1

// must panics unless b has an owner. op is the method that was called.
func (b *Buffer) must(op string) {
	if b.state < owned {
		b.misuse(op)
	}
	if checked {
		b.checkCopy(op)
	}
}

// misuse panics because op was called after b was given up.
//
//go:noinline
func (b *Buffer) misuse(op string) { panic(b.misuseText(op)) }

// releasedTwice is the panic value of Release. It makes its text when it is asked,
// because Release would not be inlined otherwise.
type releasedTwice Buffer

func (b *releasedTwice) Error() string { return (*Buffer)(b).misuseText("Release") }

// usedAfter is the panic value of Bytes, for the same reason.
type usedAfter Buffer

func (b *usedAfter) Error() string { return (*Buffer)(b).misuseText("Bytes") }

func (b *Buffer) misuseText(op string) string {
	prefix, after := "buffer: ", "Release"
	if b.home != nil {
		prefix = b.home.set.pool.prefix()
	}
	switch {
	case b.home == nil && b.state == idle:
		return fmt.Sprintf("%s%s of a Buffer that no pool has handed out", prefix, op)
	case b.state == shared:
		after = "Share"
	case b.state == taken:
		after = "Take"
	case b.state == copied:
		after = "CopyAndRelease"
	case op == "Release":
		after = "Release: the buffer was released twice"
	}
	return fmt.Sprintf("%s%s after %s%s", prefix, op, after, b.checks.history())
}

// Len returns the number of bytes in use.
func (b *Buffer) Len() int {
	b.must("Len")
	return len(b.b)
}

// Cap returns the number of bytes that can be in use before the buffer grows.
func (b *Buffer) Cap() int {
	b.must("Cap")
	return cap(b.b)
}

// Bytes returns the bytes in use, to be read and written by the owner until b is
// given up or grows. The slice has no capacity beyond its length: an append to
// it copies, and does not reach the memory after it.
func (b *Buffer) Bytes() (bytes []byte) {
	if b.state < owned {
		panic((*usedAfter)(b))
	}
	if checked {
		b.checkCopy("Bytes")
	}
	bytes = b.b
	b.mark = max(b.mark, len(bytes))
	return bytes[:len(bytes):len(bytes)]
}

// mustAppend is must of a method that puts something after the bytes in use,
// which must be the owner's then.
func (b *Buffer) mustAppend(op string) {
	if b.state < owned || b.mark < len(b.b) {
		b.misappend(op)
	}
	if checked {
		b.checkCopy(op)
	}
}

//go:noinline
func (b *Buffer) misappend(op string) {
	b.must(op)
	panic(fmt.Sprintf("%s%s after %s; write them by Bytes or Fill first, or begin with Append or Reset",
		b.home.set.pool.prefix(), op, b.notWritten()))
}

// mustSend is must of a method that hands the bytes in use to readers. Where the
// pool clears, those that the owner has not written are zero, and may go.
func (b *Buffer) mustSend(op string) {
	if b.state < owned || b.mark < len(b.b) {
		b.missend(op)
	}
	if checked {
		b.checkCopy(op)
	}
}

//go:noinline
func (b *Buffer) missend(op string) {
	b.must(op)
	if b.home.zero == ZeroNone {
		panic(fmt.Sprintf("%s%s of %s; write them by Bytes or Fill first, or cut them off by Truncate",
			b.home.set.pool.prefix(), op, b.notWritten()))
	}
}

// notWritten names the bytes in use that are not the owner's.
func (b *Buffer) notWritten() string {
	return fmt.Sprintf("%d bytes (of %d in use) that were not written since Get or Resize added them, and may be another owner's",
		len(b.b)-b.mark, len(b.b))
}

// AvailableBuffer returns an empty slice whose capacity is the free memory of b,
// for functions that append, such as strconv.AppendInt. What is appended is not
// in b until it is given to Write, which must come before any other use of b.
// AvailableBuffer panics where Write does.
func (b *Buffer) AvailableBuffer() []byte {
	b.mustAppend("AvailableBuffer")
	b.mark = max(b.mark, cap(b.b))
	return b.b[len(b.b):]
}

// String returns a copy of the bytes in use. It panics if some of them are not the
// owner's; see [Buffer].
func (b *Buffer) String() string {
	b.mustSend("String")
	return string(b.b)
}

// Release gives b up: its memory goes back to the pool. It panics if b was given
// up before.
//
//poolproof:owns b
func (b *Buffer) Release() {
	if b.state < owned {
		panic((*releasedTwice)(b))
	}
	if checked {
		b.checkCopy("Release")
	}
	b.state = idle
	b.put(b.front, b)
}

// aim says that b's memory is of the class home.
func (b *Buffer) aim(home *class) {
	b.home, b.front = home, home.front
	if b.state&learning == 0 {
		b.put = home.door
	}
}

// CopyAndRelease returns a copy of the bytes in use, of exactly their length, that is
// the caller's for good, and releases b. It is how bytes leave a function that
// works in a pooled buffer. It panics if some of the bytes are not the owner's; see
// [Buffer].
//
//poolproof:owns b
func (b *Buffer) CopyAndRelease() []byte {
	b.mustSend("CopyAndRelease")
	out := make([]byte, len(b.b))
	copy(out, b.b)
	b.state = copied
	b.put(b.front, b)
	return out
}

// Take returns the bytes in use without a copy and gives b up. The memory leaves
// the pool for good and is the caller's; its capacity is that of b. The next Get
// of this size may have to make a new one, so Take pays for content that lives
// long, and CopyAndRelease for the rest.
//
//poolproof:owns b
func (b *Buffer) Take() []byte {
	b.must("Take")
	if b.state&learning != 0 {
		b.home.set.pool.learn(b)
	}
	out := b.takeMemory()
	b.home.leave(b)
	b.state = taken
	return out
}

// abandon gives b up without giving its memory to anybody.
func (b *Buffer) abandon() {
	b.home.tally.abandoned.Add(1)
	b.home.leave(b)
	b.b = nil
	b.state = taken
}

// Clone returns a buffer of its own with a copy of the bytes in use. b stays as
// it is.
func (b *Buffer) Clone() *Buffer {
	b.must("Clone")
	c := b.home.set.clone(b.b)
	c.mark = min(c.mark, b.mark)
	return c
}

// clone returns a buffer with a copy of bytes.
func (s *set) clone(bytes []byte) *Buffer {
	c := s.get(len(bytes))
	copy(c.b, bytes)
	c.mark = len(bytes)
	return c
}

// account adds to b's counts that its memory is given back.
func (b *Buffer) account() {
	asked := b.want
	if asked == wantLength {
		asked = len(b.b)
	}
	b.asked += uint64(asked)
	b.handed += uint64(cap(b.b))
}

// flush adds b's counts to the statistics of the class that b belongs to.
func (b *Buffer) flush() {
	if b.gets == 0 && b.handed == 0 {
		return
	}
	t := b.home.tally
	t.gets.Add(uint64(b.gets))
	t.asked.Add(b.asked)
	t.handed.Add(b.handed)
	b.gets, b.asked, b.handed = 0, 0, 0
}
