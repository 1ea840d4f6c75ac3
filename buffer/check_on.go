//go:build poolproofdebug

package buffer

import (
	"fmt"
	"hash/maphash"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unsafe"
	"weak"

	"github.com/poolproof/poolproof/internal/ledger"
)

// The checked build finds uses of memory that has been given up. A header is
// never used again, so each is given up once. Memory is used again, but in the
// order in which it came back, and it is filled with a pattern meanwhile; where
// the pattern is not whole when the memory leaves, a caller wrote to it. Memory
// without a header is looked up in a table when it comes back.

const checked = true

// modes are the words of the environment variable POOLPROOFDEBUG, when the
// program starts: "guard" maps the memory of each buffer on pages of its own and makes them
// inaccessible after Release; "foreign" panics where the normal build refuses a
// slice and counts it.
var modes = strings.Split(os.Getenv(modesVariable), ",")

const modesVariable = "POOLPROOFDEBUG"

var (
	guarded       = slices.Contains(modes, "guard")
	refusalPanics = slices.Contains(modes, "foreign")
)

type (
	// checks records the end of a Buffer or a Shared.
	checks struct {
		past  bool // the book has it as given back
		entry ledger.Entry
		self  *Buffer // this one from its first Get on: a copy has the address of another
		sum   uint64  // of the bytes in use when they were shared
	}

	// waiting is the memory of a class that has no owner, by form.
	waiting struct {
		headers, bare, slices grave
	}

	poolChecks struct {
		book *ledger.Book
	}

	// receipt is the entry of memory that was given back.
	receipt struct{ entry ledger.Entry }
)

// beginChecks begins the checks of a new pool.
func beginChecks(p *Pool) poolChecks {
	os.Getenv(modesVariable) // so that the go command does not take a test's result under other modes from its cache
	if guarded && !guardSupported {
		panic("buffer: POOLPROOFDEBUG=guard is for Linux and macOS; run without it")
	}
	book := ledger.NewBook(p.name())
	runtime.AddCleanup(p, (*ledger.Book).Close, book)
	w := weak.Make(p)
	book.AlsoVerify(func() []ledger.Written {
		if p := w.Value(); p != nil {
			return p.written()
		}
		return nil
	})
	return poolChecks{book}
}

// Leaks returns one text for each Buffer, Shared and slice that is out, with the
// stack of the call that handed it out, in the order of these calls. Those that
// were collected while they were out stay listed. It is known in the checked
// build (-tags poolproofdebug) only, else nil.
func (p *Pool) Leaks() []string {
	var out []string
	for _, e := range p.checks.book.Outstanding() {
		out = append(out, e.String())
	}
	return out
}

// written returns the memory that waits and was written meanwhile, each once. In
// guard mode there is none.
func (p *Pool) written() (found []ledger.Written) {
	if guarded {
		return nil
	}
	for _, s := range p.sets() {
		for c := range s.used {
			w := &c.waiting
			for _, g := range []*grave{&w.headers, &w.bare, &w.slices} {
				found = append(found, g.written()...)
			}
		}
	}
	return found
}

// used yields the classes that have been used, ascending.
func (s *set) used(yield func(*class) bool) {
	for i := range s.classes {
		if c := s.classes[i].Load(); c != nil && !yield(c) {
			return
		}
	}
}

func (c *class) book() *ledger.Book { return c.set.pool.checks.book }

// begin makes w the waiting memory of c.
func (w *waiting) begin(*class) {}

// headers returns nil: a Sized asks get.
func (c *class) headers() *sync.Pool { return nil }

// take returns a new header with memory that waits in c, or nil.
func (c *class) take() *Buffer {
	m := c.waiting.headers.pop(c)
	if m == nil {
		return nil
	}
	b := &Buffer{b: m}
	b.aim(c)
	c.register(b)
	return b
}

// keep lets the memory of b, which has no owner, wait in c.
func (c *class) keep(b *Buffer) {
	m := b.b[:cap(b.b)]
	b.b = nil
	c.waiting.headers.push(c, m, b.checks.entry)
}

// takeBare returns the start of memory that waits in c, or nil.
func (c *class) takeBare() *byte { return unsafe.SliceData(c.waiting.bare.pop(c)) }

// keepBare lets the memory at x wait in c.
func (c *class) keepBare(x *byte, r receipt) {
	c.waiting.bare.push(c, unsafe.Slice(x, c.size), r.entry)
}

// takeSlice returns a new pointer to memory that waits in c, or nil.
func (c *class) takeSlice() *[]byte {
	if m := c.waiting.slices.pop(c); m != nil {
		return &m
	}
	return nil
}

// keepSlice lets the memory that x points to wait in c. x itself is not used
// again: whoever still has it gives back memory that the book knows as returned.
func (c *class) keepSlice(x *[]byte, r receipt) {
	c.waiting.slices.push(c, (*x)[:cap(*x)], r.entry)
}

// trimKept drops what waits in c and exceeds left, lowers left by what it keeps,
// and returns the bytes that it dropped. It panics if any of the memory was
// written meanwhile.
func (c *class) trimKept(left *int64) (dropped int64) {
	for _, g := range []*grave{&c.waiting.headers, &c.waiting.bare, &c.waiting.slices} {
		dropped += g.trim(c, left)
	}
	return dropped
}

// checkGet is told that b has got an owner.
func (b *Buffer) checkGet() {
	b.checks.self = b
	b.home.book().Out(unsafe.Pointer(b), cap(b.b), ledger.Here())
}

// checkPut is told that b has lost its owner, before anything is cleared.
func (b *Buffer) checkPut() {
	if b.checks.past {
		b.checks.entry.Put = ledger.Here()
		return
	}
	_, b.checks.entry = b.home.book().In(unsafe.Pointer(b), cap(b.b), ledger.Here())
	b.checks.past = true
}

// checkCopy panics if b is a copy of a Buffer, which op was called of. Both would
// give the memory up.
func (b *Buffer) checkCopy(op string) {
	if self := b.checks.self; self != b {
		panic(fmt.Sprintf("%s%s of a copied Buffer; use the pointer that the pool returned\n\nat\n%s",
			b.home.set.pool.prefix(), op, ledger.Here()))
	}
}

// unlikely returns the byte at position i of what checkFill fills memory with.
func unlikely(i int) byte { return byte(i*i*7 + i*31 + 0x5B) }

// checkFill is told that p, of which the first mark bytes may have been written, is
// handed to the function of Fill. What the rest holds is nothing to that function.
func (b *Buffer) checkFill(p []byte, mark int) {
	if b.home.zero == ZeroNone {
		for i := mark; i < len(p); i++ {
			p[i] = unlikely(i)
		}
	}
}

// checkFilled panics if that function has not written what it says: if the last 8
// bytes or more of p[:n] are what checkFill left there.
func (b *Buffer) checkFilled(p []byte, mark, n int) {
	if b.home.zero != ZeroNone {
		return
	}
	wrote := n
	for wrote > mark && p[wrote-1] == unlikely(wrote-1) {
		wrote--
	}
	if n-wrote >= 8 {
		panic(fmt.Sprintf("%sFill: its function said that it had written %d bytes, and has not written the last %d of them: they may be another owner's\n\nat\n%s",
			b.home.set.pool.prefix(), n, n-wrote, ledger.Here()))
	}
}

// checkShare is told that b's owners are its Shared from now on, which the book
// knows one by one.
func (b *Buffer) checkShare() {
	b.checkPut()
	b.checks.sum = maphash.Bytes(sumSeed, b.b)
}

var sumSeed = maphash.MakeSeed()

// checkRead panics if the bytes that s refers to a part of were written since they
// were shared. op is the method that was called.
func (s *Shared) checkRead(op string) {
	b := s.buffer
	if maphash.Bytes(sumSeed, b.b) != b.checks.sum {
		panic(fmt.Sprintf("%s%s of a Shared whose bytes were written after Share: its other owners read them\n\nit was shared at\n%s\nand the write was found at\n%s",
			b.home.set.pool.prefix(), op, b.checks.entry.Put, ledger.Here()))
	}
}

// history returns the places where an object was got and given up, for a panic.
func (c *checks) history() string {
	if !c.past {
		return ""
	}
	return fmt.Sprintf("\n\nit was got at\n%s\ngiven up at\n%s\nand used again at\n%s", c.entry.Got, c.entry.Put, ledger.Here())
}

// takeMemory returns the bytes in use with all of the memory, which leaves the
// pool. Mapped memory, which the garbage collector does not know, stays; a copy
// leaves.
func (b *Buffer) takeMemory() []byte {
	if !guarded || b.home.size == 0 {
		return b.b
	}
	out := makeAligned(cap(b.b))
	copy(out, b.b[:cap(b.b)])
	unmap(b.b[:cap(b.b)])
	return out[:len(b.b)]
}

// reissue makes the last Shared's owner the owner of a new header with b's
// memory. b stays without an owner, whoever still has it.
func (b *Buffer) reissue() *Buffer {
	n := &Buffer{b: b.b, mark: b.mark, state: owned, want: b.want, gets: b.gets, asked: b.asked, handed: b.handed}
	n.aim(b.home)
	b.b, b.gets, b.asked, b.handed = nil, 0, 0, 0
	if b.ticket != nil {
		b.home.register(n)
		n.ticket.size.Store(int64(cap(n.b)))
		n.ticket.owed.Store(b.ticket.owed.Swap(nil))
	}
	n.checkGet()
	return n
}

func takeShared() *Shared { return new(Shared) }

func keepShared(*Shared) {}

// checkGet is told that s has got an owner.
func (s *Shared) checkGet() {
	s.buffer.home.book().Out(unsafe.Pointer(s), len(s.part), ledger.Here())
}

// checkPut is told that s is about to lose it.
func (s *Shared) checkPut() {
	_, s.checks.entry = s.buffer.home.book().In(unsafe.Pointer(s), len(s.part), ledger.Here())
	s.checks.past = true
}

// checkOut is told that the memory at x has got an owner.
func (c *class) checkOut(x *byte) {
	c.book().Out(unsafe.Pointer(x), c.size, ledger.Here())
}

// checkIn is told that op gives back the memory at x. It panics unless the pool
// has handed out memory that begins there.
func (c *class) checkIn(op string, x *byte) receipt {
	here := ledger.Here()
	origin, entry := c.book().In(unsafe.Pointer(x), c.size, here)
	switch prefix := c.set.pool.prefix(); origin {
	case ledger.Twice:
		panic(fmt.Sprintf("%s%s of a slice that was given back before\n\nit was got at\n%s\ngiven back first at\n%s\nand again at\n%s",
			prefix, op, entry.Got, entry.Put, here))
	case ledger.Foreign:
		panic(fmt.Sprintf("%s%s of a slice of capacity %d, which is a class, that the pool has not handed out: it is another's, or a part of one of the pool's\n\nat\n%s",
			prefix, op, c.size, here))
	}
	return receipt{entry}
}

// checkForeign is told that op was given b and refused it.
func (p *Pool) checkForeign(op string, b []byte) {
	if refusalPanics {
		panic(fmt.Sprintf("%s%s of a slice of length %d and capacity %d that the pool has not handed out\n\nat\n%s",
			p.prefix(), op, len(b), cap(b), ledger.Here()))
	}
}

// guardedMemory returns memory outside the heap, in guard mode only, else nil.
func guardedMemory(size int) []byte {
	if !guarded {
		return nil
	}
	return mapMemory(size)
}
