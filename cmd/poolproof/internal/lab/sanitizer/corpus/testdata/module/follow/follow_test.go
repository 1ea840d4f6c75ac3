// Package follow holds misuses of memory that New does not make: arrays, rows, structs and
// maps that belong to a pooled object by the way in which the code uses them.
package follow

import (
	"slices"
	"sync"
	"testing"
)

var sink byte

type checked struct{ buf []byte }

func (x *checked) room(n int) []byte {
	if cap(x.buf) < n {
		x.buf = make([]byte, n)
	}
	x.buf = x.buf[:n]
	return x.buf
}

var checkeds = sync.Pool{New: func() any { return new(checked) }}

//want:exact read-after-put
func TestReslicedAfterACheckOfTheCapacity(t *testing.T) {
	x := checkeds.Get().(*checked)
	b := x.room(64)
	checkeds.Put(x)
	sink += b[3]
}

type growing struct{ buf []byte }

func (x *growing) room(n int) []byte {
	x.buf = slices.Grow(x.buf[:0], n)[:n]
	return x.buf
}

var growings = sync.Pool{New: func() any { return new(growing) }}

//want:exact write-after-put
//want:fast write-after-put
func TestGrownBySlices(t *testing.T) {
	x := growings.Get().(*growing)
	b := x.room(64)
	growings.Put(x)
	b[3] = 1
}

type local struct{ buf []byte }

func (x *local) fill(n int) []byte {
	b := x.buf
	if cap(b) < n {
		b = make([]byte, 0, n)
	}
	b = b[:0]
	for i := range n {
		b = append(b, byte(i))
	}
	x.buf = b
	return b
}

var locals = sync.Pool{New: func() any { return new(local) }}

//want:exact read-after-put
func TestLocalThatIsStoredBack(t *testing.T) {
	x := locals.Get().(*local)
	b := x.fill(64)
	locals.Put(x)
	sink += b[3]
}

type helped struct{ buf []byte }

func truncate(b *[]byte)         { *b = (*b)[:0] }
func add(b *[]byte, text string) { *b = append(*b, text...) }

var helpeds = sync.Pool{New: func() any { return new(helped) }}

//want:exact read-after-put
func TestHelperWithAPointer(t *testing.T) {
	x := helpeds.Get().(*helped)
	truncate(&x.buf)
	add(&x.buf, "sixteen bytes, or more")
	b := x.buf
	helpeds.Put(x)
	sink += b[3]
}

type child struct{ n, m int }

type parent struct{ c *child }

func (p *parent) child() *child {
	if p.c == nil {
		p.c = &child{}
	}
	return p.c
}

type holder struct{ c *child }

func (h *holder) count() {
	if h.c == nil {
		h.c = &child{n: 1}
	}
	h.c.n++
}

var holders = sync.Pool{New: func() any { return new(holder) }}

//want:exact read-after-put write-after-put
//want:fast write-after-put
func TestChildMadeAtFirstUse(t *testing.T) {
	h := holders.Get().(*holder)
	h.count()
	c := h.c
	holders.Put(h)
	c.n++
}

var parents = sync.Pool{New: func() any { return new(parent) }}

// The next user gets the same child.
//
//want:exact read-after-put write-after-put
//want:fast write-after-put
func TestChildThatIsHandedOut(t *testing.T) {
	p := parents.Get().(*parent)
	c := p.child()
	parents.Put(p)
	c.n++
}

type table struct{ rows [][]byte }

func (x *table) fill(n int) {
	for len(x.rows) < n {
		x.rows = append(x.rows, nil)
	}
	x.rows = x.rows[:n]
	for i := range x.rows {
		x.rows[i] = append(x.rows[i][:0], "a row of the table"...)
	}
}

var tables = sync.Pool{New: func() any { return new(table) }}

//want:exact read-after-put
func TestRows(t *testing.T) {
	x := tables.Get().(*table)
	x.fill(3)
	row := x.rows[2]
	tables.Put(x)
	sink += row[3]
}

type returning struct{ buf []byte }

func (x *returning) room(n int) []byte {
	if n <= cap(x.buf) {
		return x.buf[:n]
	}
	x.buf = make([]byte, n)
	return x.buf
}

var returnings = sync.Pool{New: func() any { return new(returning) }}

//want:exact write-after-put
//want:fast write-after-put
func TestMadeAndReturned(t *testing.T) {
	x := returnings.Get().(*returning)
	b := x.room(64)
	returnings.Put(x)
	b[3] = 1
}

type emptied struct{ buf []byte }

func (x *emptied) fill(text string) []byte {
	x.buf = append(x.buf[:0], text...)
	return x.buf
}

var emptieds = sync.Pool{New: func() any { return new(emptied) }}

//want:exact write-after-put
//want:fast write-after-put
func TestEmptied(t *testing.T) {
	x := emptieds.Get().(*emptied)
	b := x.fill("sixteen bytes, or more")
	emptieds.Put(x)
	b[3] = 1
}

type declared struct {
	view []byte //poolproof:own
}

func (x *declared) take(b []byte) { x.view = b }

var declareds = sync.Pool{New: func() any { return new(declared) }}

//want:exact read-after-put
func TestDeclaredByAComment(t *testing.T) {
	x := declareds.Get().(*declared)
	b := make([]byte, 64)
	x.take(b)
	declareds.Put(x)
	sink += b[3]
}

// Maps.

var counts = sync.Pool{New: func() any { return make(map[string]int) }}

//want:exact read-after-put
//want:fast read-after-put
func TestMapIsReadAfterPut(t *testing.T) {
	m := counts.Get().(map[string]int)
	m["a"]++
	counts.Put(m)
	sink += byte(m["a"])
}

//want:exact write-after-put read-after-put?
//want:fast write-after-put
func TestMapIsWrittenAfterPut(t *testing.T) {
	m := counts.Get().(map[string]int)
	counts.Put(m)
	m["b"] = 1
}

//want:exact read-after-put
//want:fast read-after-put
func TestMapIsRangedAfterPut(t *testing.T) {
	m := counts.Get().(map[string]int)
	m["a"]++
	counts.Put(m)
	for _, n := range m {
		sink += byte(n)
	}
}

//want:exact write-after-put read-after-put?
//want:fast write-after-put
func TestMapIsClearedAfterPut(t *testing.T) {
	m := counts.Get().(map[string]int)
	m["a"]++
	counts.Put(m)
	clear(m)
}

//want:exact double-put
//want:fast double-put
func TestMapIsPutTwice(t *testing.T) {
	m := counts.Get().(map[string]int)
	counts.Put(m)
	counts.Put(m)
}

var numbers = sync.Pool{New: func() any { return map[int64][]byte{} }}

//want:exact write-after-put read-after-put?
//want:fast write-after-put
func TestElementIsDeletedAfterPut(t *testing.T) {
	m := numbers.Get().(map[int64][]byte)
	m[7] = nil
	numbers.Put(m)
	delete(m, 7)
}

type withMap struct{ seen map[string]bool }

var withMaps = sync.Pool{New: func() any { return &withMap{seen: map[string]bool{}} }}

//want:exact write-after-put read-after-put?
//want:fast write-after-put
func TestMapOfAnObjectIsWrittenAfterPut(t *testing.T) {
	x := withMaps.Get().(*withMap)
	seen := x.seen
	withMaps.Put(x)
	seen["a"] = true
}

// A map is cleared, put, and got again; others of the same type are used beside it.
//
//want:silence
func TestMapsAreUsedRightly(t *testing.T) {
	mine := map[string]int{"mine": 1}
	for i := range 10 {
		m := counts.Get().(map[string]int)
		clear(m)
		m["a"] = i
		for k := range m {
			mine[k] += m[k]
		}
		counts.Put(m)
	}
	if mine["a"] != 45 || len(mine) != 2 {
		t.Error(mine)
	}
}

type lentMap struct{ seen map[string]bool }

var lentMaps = sync.Pool{New: func() any { return new(lentMap) }}

// The map is the caller's.
//
//want:silence
func TestMapOfACaller(t *testing.T) {
	seen := map[string]bool{}
	x := lentMaps.Get().(*lentMap)
	x.seen = seen
	x.seen["a"] = true
	lentMaps.Put(x)
	if !seen["a"] {
		t.Error(seen)
	}
}

// ring has two arrays, which change places.
type ring struct{ full, free []int }

func (r *ring) push(v int) { r.full = append(r.full, v) }

func (r *ring) drain() []int {
	out := r.full
	r.full, r.free = r.free[:0], out
	return out
}

var rings = sync.Pool{New: func() any { return new(ring) }}

//want:exact read-after-put
func TestDrainedArrayOfADoubleBuffer(t *testing.T) {
	r := rings.Get().(*ring)
	for i := range 10 {
		r.push(i)
	}
	out := r.drain()
	rings.Put(r)
	sink += byte(out[3])
}
