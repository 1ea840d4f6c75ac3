package buffer

import (
	"encoding/binary"
	"fmt"
	"io"
	"unicode/utf8"
	"unsafe"
)

// Truncate drops all but the first n bytes. It panics if n is negative or beyond
// the length. The memory stays, and what was in it stays to be cleared.
func (b *Buffer) Truncate(n int) {
	b.must("Truncate")
	if uint(n) > uint(len(b.b)) {
		panic(fmt.Sprintf("%sTruncate(%d) of %d bytes", b.home.set.pool.prefix(), n, len(b.b)))
	}
	b.b = b.b[:n]
}

// Reset drops all bytes: it is Truncate(0).
func (b *Buffer) Reset() {
	b.must("Reset")
	b.b = b.b[:0]
}

// Grow makes room for n more bytes, so that writing them does not grow b again.
// If there is room, nothing changes. Otherwise b gets memory of four times its
// capacity, no more than Options.Max unless the content demands it, and in any
// case enough; its bytes are copied, and its former memory goes back to the pool
// at once. Slices that Bytes or AvailableBuffer returned before are then
// the memory of another owner. Grow panics if n is negative.
func (b *Buffer) Grow(n int) {
	b.must("Grow")
	b.home.set.pool.checkSize("Grow", n)
	if n > cap(b.b)-len(b.b) {
		b.grow(n).giveBack()
	}
}

// Resize sets the length to n. Bytes that it adds are zero if the pool clears in
// any way, and anything otherwise. If n exceeds the capacity, b moves to memory
// of the class that holds n, as described at Grow. Resize panics if n is
// negative.
func (b *Buffer) Resize(n int) {
	b.must("Resize")
	b.home.set.pool.checkSize("Resize", n)
	if n > cap(b.b) {
		b.move(n).giveBack()
	}
	old := len(b.b)
	b.b = b.b[:n]
	if n > old {
		switch b.home.zero {
		case ZeroUsed:
			clear(b.b[old:max(old, min(n, b.mark))]) // beyond the mark it is zero
		case ZeroGet, ZeroFull:
			clear(b.b[old:])
		}
	}
}

// grow gives b memory for n more bytes, and for some more, so that growing is
// rare. It returns the former memory with a header of its own, which the caller
// must give back.
//
//go:noinline
func (b *Buffer) grow(n int) (former *Buffer) {
	s := b.home.set
	need := len(b.b) + n
	if need < 0 || need > largestSize {
		panic(fmt.Sprintf("%sa buffer of %d bytes cannot grow by %d: too large", s.pool.prefix(), len(b.b), n))
	}
	size := cap(b.b)
	switch {
	case size <= s.max/growFactor:
		size *= growFactor
	case need <= s.max:
		size = s.max
	case size <= largestSize/2:
		size *= 2 // above the largest class a buffer doubles, so that many small writes are not many copies
	}
	return b.move(max(need, size))
}

// growFactor is by how much a buffer grows that is full. Growing copies what is there: on the
// sizes of source files, four copies a third less than two after a first four,
// for a quarter more memory held.
const growFactor = 4

// move gives b memory for size bytes and copies its bytes there. It takes a
// whole buffer from the pool and swaps what is inside: so the former memory gets
// a header, with which it returns to the class that it belongs to.
//
//poolproof:borrows b
func (b *Buffer) move(size int) (former *Buffer) {
	other := b.home.set.get(size)
	copy(other.b, b.b)
	b.flush()
	other.flush()
	n := len(b.b)
	b.b, other.b = other.b[:n], b.b
	from := b.home
	b.aim(other.home)
	other.aim(from)
	b.mark, other.mark = min(n, b.mark), b.mark // what was not the owner's is not by being moved
	b.want, other.want = wantLength, b.want
	if b.ticket != nil {
		b.ticket.size.Store(int64(cap(b.b)))
		b.ticket.owed.Store(b.home.tally)
		other.ticket.size.Store(int64(cap(other.b)))
		other.ticket.owed.Store(other.home.tally)
	}
	return other
}

// giveBack is Release of a header that move returned.
func (b *Buffer) giveBack() {
	b.state = idle
	b.home.put(b)
}

// Write appends p, which may be a part of b. It returns len(p) and nil. It panics
// if bytes in use are not the owner's, as those of Get(n) are before Bytes or Fill;
// see [Buffer].
func (b *Buffer) Write(p []byte) (int, error) {
	b.mustAppend("Write")
	if len(p) > cap(b.b)-len(b.b) {
		former := b.grow(len(p))
		b.add(p) // which may lie in the former memory
		former.giveBack()
	} else {
		b.add(p)
	}
	return len(p), nil
}

// add appends p, for which there is room.
func (b *Buffer) add(p []byte) {
	n := len(b.b)
	b.b = b.b[:n+len(p)]
	copy(b.b[n:], p)
	b.mark = max(b.mark, len(b.b))
}

// WriteString appends s. It returns len(s) and nil, and panics where Write does.
func (b *Buffer) WriteString(s string) (int, error) {
	b.mustAppend("WriteString")
	if len(s) > cap(b.b)-len(b.b) {
		return b.Write(unsafe.Slice(unsafe.StringData(s), len(s)))
	}
	n := len(b.b)
	b.b = b.b[:n+len(s)]
	copy(b.b[n:], s)
	b.mark = max(b.mark, len(b.b))
	return len(s), nil
}

// WriteByte appends c. It returns nil, and panics where Write does.
func (b *Buffer) WriteByte(c byte) error {
	b.mustAppend("WriteByte")
	n := len(b.b)
	if n == cap(b.b) {
		b.grow(1).giveBack()
	}
	b.b = b.b[:n+1]
	b.b[n] = c
	b.mark = max(b.mark, n+1)
	return nil
}

// WriteRune appends r in UTF-8, U+FFFD if it is no rune. It returns the number of
// bytes and nil.
func (b *Buffer) WriteRune(r rune) (int, error) {
	if uint32(r) < utf8.RuneSelf {
		return 1, b.WriteByte(byte(r))
	}
	var text [utf8.UTFMax]byte
	return b.Write(utf8.AppendRune(text[:0], r))
}

// minRead is the least room that ReadFrom offers to a reader, as bytes.Buffer
// does.
const minRead = 512

// ReadFrom appends what r returns until its end, and grows b as needed. It
// returns the number of bytes read and any error of r but io.EOF. r may use all
// of the slice that it gets as scratch memory, so under ZeroUsed all of it is
// cleared at Release; Fill is the cheaper way for a short read into a long
// buffer.
// ReadFrom panics where Write does.
func (b *Buffer) ReadFrom(r io.Reader) (int64, error) {
	b.mustAppend("ReadFrom")
	total := int64(0)
	for {
		if cap(b.b)-len(b.b) < minRead {
			b.grow(minRead).giveBack()
		}
		room := b.b[len(b.b):cap(b.b)]
		b.mark = max(b.mark, cap(b.b))
		n, err := r.Read(room)
		b.checkRead("ReadFrom", room, n)
		b.b = b.b[:len(b.b)+n]
		total += int64(n)
		if err == io.EOF {
			return total, nil
		}
		if err != nil {
			return total, err
		}
	}
}

// Fill calls read once with the bytes in use, and sets the length to the number
// of bytes that read returns. Its caller vouches that read writes these and no
// others, as a read from a socket does; so under ZeroUsed no more than these are
// cleared: 300 bytes for a packet of 300 bytes in a buffer of 9000. If read panics,
// all is held to be written. read must not use b. Fill returns what read returns,
// and panics if n is negative or exceeds the length.
//
// A read that says too little would leave bytes in the pool for the next owner, so
// Fill looks at the 64 bytes after n and the last 64 of the slice: if it finds
// something there, all is cleared. One that says too much hands out bytes that it
// has not written. The checked build panics for both.
//
//poolproof:lends read
func (b *Buffer) Fill(read func(p []byte) (n int, err error)) (n int, err error) {
	b.must("Fill")
	p := b.b[:len(b.b):len(b.b)]
	mark := b.mark
	b.mark = max(mark, len(p))
	if checked {
		b.checkFill(p, mark)
	}
	n, err = read(p)
	b.checkRead("Fill", p, n)
	if b.mark = max(mark, n); b.mark < len(p) && b.home.zero == ZeroUsed && !checked && touched(p[b.mark:]) {
		b.mark = len(p)
	}
	if checked {
		b.checkFilled(p, mark, n)
	}
	b.b = b.b[:n]
	return n, err
}

// touched reports whether the begin or the end of p, which was zero, has been
// written to: by a reader that uses more of its slice than it returns.
func touched(p []byte) bool {
	const look = 64
	return !zero(p[:min(look, len(p))]) || !zero(p[max(0, len(p)-look):])
}

// zero reports whether p is zero.
func zero(p []byte) bool {
	for len(p) >= 8 {
		if binary.NativeEndian.Uint64(p) != 0 {
			return false
		}
		p = p[8:]
	}
	for _, x := range p {
		if x != 0 {
			return false
		}
	}
	return true
}

// checkRead panics if n is no possible result of a read into p, or if b has
// other memory than p, or no owner, since p was taken from it.
func (b *Buffer) checkRead(op string, p []byte, n int) {
	b.must(op)
	if uint(n) > uint(len(p)) {
		panic(fmt.Sprintf("%s%s: the reader returned %d for a slice of %d bytes", b.home.set.pool.prefix(), op, n, len(p)))
	}
	start, from := address(b.b), address(p)
	if from < start || from > start+uintptr(cap(b.b)) {
		panic(fmt.Sprintf("%s%s: the buffer has grown while it was read into", b.home.set.pool.prefix(), op))
	}
}

// WriteTo writes the bytes in use to w. They stay in b. It returns the number of
// bytes written and the error of w, or io.ErrShortWrite if w wrote less and gave
// no error. It panics if some of them are not the owner's; see [Buffer].
func (b *Buffer) WriteTo(w io.Writer) (int64, error) {
	b.mustSend("WriteTo")
	p := b.b[:len(b.b):len(b.b)]
	if len(p) == 0 {
		return 0, nil
	}
	n, err := w.Write(p)
	if n < 0 || n > len(p) {
		panic(fmt.Sprintf("%sWriteTo: the writer returned %d for a slice of %d bytes", b.home.set.pool.prefix(), n, len(p)))
	}
	if n < len(p) && err == nil {
		err = io.ErrShortWrite
	}
	return int64(n), err
}
