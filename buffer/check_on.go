//go:build poolproofdebug

package buffer

import (
	"bytes"
	"fmt"
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
// the pattern is not whole when the memory leaves, somebody wrote to it. Memory
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
	// checks is what a Buffer or a Shared knows of its end.
	checks struct {
		past  bool // the book has it as given back
		entry ledger.Entry
	}

	// waiting is the memory of a class that nobody owns, by form.
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
		for i := range s.classes {
			w := &s.classes[i].waiting
			for _, g := range []*grave{&w.headers, &w.bare, &w.slices} {
				found = append(found, g.written()...)
			}
		}
	}
	return found
}

func (c *class) book() *ledger.Book { return c.set.pool.checks.book }

// take returns a new header with memory that waits in c, or nil.
func (c *class) take() *Buffer {
	m := c.waiting.headers.pop(c)
	if m == nil {
		return nil
	}
	b := &Buffer{home: c, b: m}
	c.register(b)
	return b
}

// keep lets the memory of b, which nobody owns, wait in c.
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

// checkShare is told that b's owners are its Shared from now on, which the book
// knows one by one.
func (b *Buffer) checkShare() { b.checkPut() }

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
	n := &Buffer{home: b.home, b: b.b, mark: b.mark, state: owned, want: b.want, gets: b.gets, asked: b.asked, handed: b.handed}
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

// A grave holds so much memory of one class and form at most. In guard mode the
// latest stay inaccessible until guardDepth others have followed.
const (
	graveItems = 64
	graveBytes = 4 << 20
	guardDepth = 8
)

// poison fills memory that waits, zeros fills it where it must be clear before.
var poison, zeros [4096]byte

func init() {
	for i := range poison {
		poison[i] = 0xDB
	}
}

// fill fills m with poison.
func fill(m []byte) {
	for len(m) > 0 {
		m = m[copy(m, poison[:]):]
	}
}

// differs returns the position of the first byte of m that is not as in fill,
// which holds the same byte throughout, or -1. It goes in blocks, because the
// race detector looks at each byte of a loop.
func differs(m []byte, fill *[4096]byte) int {
	for at := 0; at < len(m); at += len(fill) {
		block := m[at:min(at+len(fill), len(m))]
		if bytes.Equal(block, fill[:len(block)]) {
			continue
		}
		return at + slices.IndexFunc(block, func(x byte) bool { return x != fill[0] })
	}
	return -1
}

// grave is the memory that waits of one class in one form, in the order in which
// it came back.
type grave struct {
	mu    sync.Mutex
	items []buried
}

type buried struct {
	memory []byte
	entry  ledger.Entry
}

// push lets m wait. entry tells who had it. What has waited longest makes room.
func (g *grave) push(c *class, m []byte, entry ledger.Entry) {
	if c.zero >= ZeroUsed {
		if at := differs(m, &zeros); at >= 0 {
			panic(fmt.Sprintf("%sbyte %d of a buffer of %d bytes was written although it was not handed out for writing (has a function given to Fill written more than it said?)\n\nit was got at\n%s\nand given up at\n%s",
				c.set.pool.prefix(), at, len(m), entry.Got, entry.Put))
		}
	}
	fill(m)
	if guarded {
		protect(m, true)
	}
	g.mu.Lock()
	g.items = append(g.items, buried{m, entry})
	var out buried
	if n := len(g.items); n > 1 && (n > graveItems || n*c.size > graveBytes) && (!guarded || n > guardDepth) {
		out = g.shift()
	}
	g.mu.Unlock()
	if out.memory != nil {
		out.verify(c)
		if guarded {
			unmap(out.memory)
		}
	}
}

// pop returns memory that waits, in the state that the pool promises, or nil. It
// panics if the memory was written meanwhile.
func (g *grave) pop(c *class) []byte {
	g.mu.Lock()
	if len(g.items) == 0 || guarded && len(g.items) <= guardDepth {
		g.mu.Unlock()
		return nil
	}
	out := g.shift()
	g.mu.Unlock()
	out.verify(c)
	if c.zero >= ZeroUsed {
		clear(out.memory)
	}
	return out.memory
}

// shift removes what has waited longest. The caller holds mu.
func (g *grave) shift() buried {
	out := g.items[0]
	rest := copy(g.items, g.items[1:])
	g.items[rest] = buried{}
	g.items = g.items[:rest]
	return out
}

// verify makes the memory accessible and panics if it was written.
func (b *buried) verify(c *class) {
	if guarded {
		protect(b.memory, false)
	}
	if at := differs(b.memory, &poison); at >= 0 {
		panic(fmt.Sprintf("%sbyte %d of a buffer of %d bytes was written after the buffer was given up\n\nit was got at\n%s\ngiven up at\n%s\nand the write was found at\n%s",
			c.set.pool.prefix(), at, len(b.memory), b.entry.Got, b.entry.Put, ledger.Here()))
	}
}

// written is Pool.written for one class and form.
func (g *grave) written() (found []ledger.Written) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, b := range g.items {
		if differs(b.memory, &poison) >= 0 {
			found = append(found, ledger.Written{Entry: b.entry})
			fill(b.memory)
		}
	}
	return found
}

// trim is class.trimKept for one form.
func (g *grave) trim(c *class, left *int64) (dropped int64) {
	g.mu.Lock()
	items := g.items
	g.items = nil
	g.mu.Unlock()
	var kept []buried
	for _, b := range items {
		b.verify(c)
		switch size := int64(c.size); {
		case *left >= size:
			*left -= size
			kept = append(kept, b)
			if guarded {
				protect(b.memory, true)
			}
		default:
			dropped += size
			if guarded {
				unmap(b.memory)
			}
		}
	}
	g.mu.Lock()
	g.items = append(kept, g.items...)
	g.mu.Unlock()
	return dropped
}
