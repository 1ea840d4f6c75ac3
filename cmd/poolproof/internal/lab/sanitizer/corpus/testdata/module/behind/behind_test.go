// Package behind has misuses of memory that a pooled object reaches by pointers, interfaces, maps,
// channels and elements.
package behind

import (
	"bytes"
	"hash"
	"hash/fnv"
	"io"
	"math/big"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
)

type state struct {
	n    int
	list []int
}

type owner struct{ state *state }

func (o *owner) child() *state {
	if o.state == nil {
		o.state = &state{}
	}
	return o.state
}

// Memory: a struct that is made at first use, and returned by a method.
//
//want:exact read-after-put
func TestChildReturned(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(owner) }}
	o := pool.Get().(*owner)
	s := o.child()
	pool.Put(o)
	_ = s.n
}

var parsers = sync.Pool{New: func() any { return &parser{tree: &state{}} }}

type parser struct{ tree *state }

func parse() *state {
	p := parsers.Get().(*parser)
	defer parsers.Put(p)
	p.tree.n = 3
	return p.tree
}

// Memory: a struct that `New` made, returned by the function that puts.
//
//want:exact read-after-put
func TestChildOfNewReturned(t *testing.T) {
	_ = parse().n
}

type headers struct{ m map[string]string }

var headerPool sync.Pool

func readHeaders() map[string]string {
	h, _ := headerPool.Get().(*headers)
	if h == nil {
		h = &headers{}
	}
	defer headerPool.Put(h)
	if h.m == nil {
		h.m = map[string]string{}
	}
	clear(h.m)
	h.m["a"] = "b"
	return h.m
}

// Memory: a map that is made at first use, and returned.
//
//want:exact read-after-put
func TestMapReturned(t *testing.T) {
	_ = readHeaders()["a"]
}

type job struct {
	st  *state
	buf []byte
	m   map[int]int
}

func newJob() *job {
	return &job{st: &state{list: make([]int, 4)}, buf: make([]byte, 16), m: map[int]int{1: 1}}
}

func getJob(pool *sync.Pool) *job {
	if v := pool.Get(); v != nil {
		return v.(*job)
	}
	return newJob()
}

// Memory: a struct that a constructor made after a nil `Get`.
//
//want:exact write-after-put
//want:fast write-after-put
func TestChildOfAConstructor(t *testing.T) {
	var pool sync.Pool
	j := getJob(&pool)
	st := j.st
	pool.Put(j)
	st.n = 1
}

// Memory: an array that a constructor made after a nil `Get`.
//
//want:exact read-after-put
func TestArrayOfAConstructor(t *testing.T) {
	var pool sync.Pool
	j := getJob(&pool)
	b := j.buf
	pool.Put(j)
	_ = b[3]
}

// Memory: a map that a constructor made after a nil `Get`.
//
//want:exact read-after-put
func TestMapOfAConstructor(t *testing.T) {
	var pool sync.Pool
	j := getJob(&pool)
	m := j.m
	pool.Put(j)
	_ = m[1]
}

// Memory: an array of a struct that such a constructor made.
//
//want:exact read-after-put
func TestArrayOfAChildOfAConstructor(t *testing.T) {
	var pool sync.Pool
	j := getJob(&pool)
	l := j.st.list
	pool.Put(j)
	_ = l[2]
}

type writer struct{ w io.Writer }

type sink struct {
	n   int
	buf []byte
}

func (s *sink) Write(p []byte) (int, error) {
	s.n += len(p)
	s.buf = append(s.buf[:0], p...)
	return len(p), nil
}

// Memory: a struct in an interface field.
//
//want:exact read-after-put write-after-put?
func TestBehindAnInterface(t *testing.T) {
	pool := sync.Pool{New: func() any { return &writer{w: &sink{buf: make([]byte, 0, 16)}} }}
	w := pool.Get().(*writer)
	s := w.w.(*sink)
	pool.Put(w)
	_ = s.n
}

type signer struct {
	h   hash.Hash
	key []byte
}

// Memory: a `hash.Hash` in an interface field.
//
//want:exact read-after-put write-after-put?
func TestHashBehindAnInterface(t *testing.T) {
	pool := sync.Pool{New: func() any { return &signer{h: fnv.New128a()} }}
	s := pool.Get().(*signer)
	h := s.h
	pool.Put(s)
	_, _ = h.Write([]byte("abc"))
}

type column struct{ cells []int }
type table struct{ cols []column }

// Memory: an array in an element of a slice of structs.
//
//want:exact read-after-put
func TestElementsOfStructs(t *testing.T) {
	pool := sync.Pool{New: func() any { return &table{cols: []column{{make([]int, 4)}, {make([]int, 4)}}} }}
	tb := pool.Get().(*table)
	c := tb.cols[1].cells
	pool.Put(tb)
	_ = c[2]
}

type group struct{ all []*state }

// Memory: a struct that an element of a slice points to, from the second `New` on.
//
//want:exact write-after-put
//want:fast write-after-put
func TestElementsOfPointers(t *testing.T) {
	pool := sync.Pool{New: func() any { return &group{all: []*state{{}, {}}} }}
	pool.Put(pool.Get()) // what a first New makes may be for all objects
	g := pool.Get().(*group)
	s := g.all[1]
	pool.Put(g)
	s.n = 2
}

type index struct{ by map[string]*state }

// Memory: a struct that a value of a map points to, from the second `New` on.
//
//want:exact read-after-put
func TestValuesOfAMap(t *testing.T) {
	pool := sync.Pool{New: func() any { return &index{by: map[string]*state{"a": {}}} }}
	pool.Put(pool.Get())
	x := pool.Get().(*index)
	s := x.by["a"]
	pool.Put(x)
	_ = s.n
}

type d1 struct{ p *d2 }
type d2 struct{ p *d3 }
type d3 struct{ p *d4 }
type d4 struct{ p *d5 }
type d5 struct{ n int }

// Memory: a struct that is five pointers away.
//
//want:exact write-after-put
//want:fast write-after-put
func TestDeep(t *testing.T) {
	pool := sync.Pool{New: func() any { return &d1{&d2{&d3{&d4{&d5{}}}}} }}
	d := pool.Get().(*d1)
	p := d.p.p.p.p
	pool.Put(d)
	p.n = 1
}

type mailbox struct {
	c chan int
	n int
}

// Memory: a channel, by which goroutines agree, as by a lock; what it left for the next user the second pass shows.
//
//want:exact unseen
func TestChannel(t *testing.T) {
	pool := sync.Pool{New: func() any { return &mailbox{c: make(chan int, 1)} }}
	m := pool.Get().(*mailbox)
	c := m.c
	pool.Put(m)
	c <- 1
}

// Memory: an object of less than eight bytes.
//
//want:exact read-after-put
func TestSmallIsRead(t *testing.T) {
	pool := sync.Pool{New: func() any { return fnv.New32a() }}
	h := pool.Get().(hash.Hash32)
	pool.Put(h)
	_ = h.Sum32()
}

// Memory: an object that comes out of a channel after its `Put`.
//
//want:exact read-after-put
func TestReceivedAfterPut(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(state) }}
	queue := make(chan *state, 1)
	s := pool.Get().(*state)
	queue <- s
	pool.Put(s)
	_ = (<-queue).n
}

type total struct{ sum big.Int }

// Memory: the array of a `big.Int`.
//
//want:exact read-after-put
//want:fast poison?
func TestBigIntByAddress(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(total) }}
	c := pool.Get().(*total)
	c.sum.SetString("123456789012345678901234567890", 10)
	bits := c.sum.Bits()
	pool.Put(c)
	_ = bits[1]
}

type form struct{ v url.Values }

// Memory: a `url.Values`.
//
//want:exact read-after-put
func TestValuesOfAForm(t *testing.T) {
	pool := sync.Pool{New: func() any { return &form{v: url.Values{}} }}
	f := pool.Get().(*form)
	f.v.Set("a", "b")
	v := f.v
	pool.Put(f)
	_ = v.Get("a")
}

type request struct{ h http.Header }

// Memory: an `http.Header`.
//
//want:exact read-after-put
func TestHeader(t *testing.T) {
	pool := sync.Pool{New: func() any { return &request{h: http.Header{}} }}
	r := pool.Get().(*request)
	r.h.Set("A", "b")
	h := r.h
	pool.Put(r)
	_ = h.Get("A")
}

type line struct{ b *bytes.Buffer }

// Memory: a `*bytes.Buffer` that is made at first use.
//
//want:exact read-after-put
func TestBufferMadeAtFirstUse(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(line) }}
	l := pool.Get().(*line)
	if l.b == nil {
		l.b = new(bytes.Buffer)
	}
	l.b.Reset()
	l.b.WriteString("abc")
	out := l.b.Bytes()
	pool.Put(l)
	_ = out[0]
}

type lanes struct{ lane [4]struct{ q []int } }

// Memory: an array in an array of structs.
//
//want:exact read-after-put
func TestArrayInAnArrayOfStructs(t *testing.T) {
	pool := sync.Pool{New: func() any {
		l := new(lanes)
		for i := range l.lane {
			l.lane[i].q = make([]int, 4)
		}
		return l
	}}
	l := pool.Get().(*lanes)
	q := l.lane[2].q
	pool.Put(l)
	_ = q[1]
}

type bag struct{ items []any }

// Memory: a slice of interfaces: its array.
//
//want:exact read-after-put
func TestItems(t *testing.T) {
	pool := sync.Pool{New: func() any { return &bag{items: make([]any, 0, 4)} }}
	b := pool.Get().(*bag)
	b.items = append(b.items[:0], 1, 2)
	items := b.items
	pool.Put(b)
	_ = items[1]
}

type view struct{ rows *[]int }

// Memory: a slice that a field points to.
//
//want:exact read-after-put
func TestPointerToASlice(t *testing.T) {
	pool := sync.Pool{New: func() any { s := make([]int, 4); return &view{rows: &s} }}
	v := pool.Get().(*view)
	rows := *v.rows
	pool.Put(v)
	_ = rows[2]
}

type block struct{ mem *[64]byte }

// Memory: an array that a field points to.
//
//want:exact read-after-put
func TestPointerToAnArray(t *testing.T) {
	pool := sync.Pool{New: func() any { return &block{mem: new([64]byte)} }}
	b := pool.Get().(*block)
	m := b.mem[:]
	pool.Put(b)
	_ = m[9]
}

// Memory: an array in a value of a map.
//
//want:exact read-after-put
func TestArrayInAMap(t *testing.T) {
	type table struct{ rows map[string][]int }
	pool := sync.Pool{New: func() any { return &table{rows: map[string][]int{}} }}
	x := pool.Get().(*table)
	x.rows["a"] = append(x.rows["a"][:0], 1, 2)
	row := x.rows["a"]
	pool.Put(x)
	_ = row[0]
}

type node struct{ n int }
type nodes struct{ used, free []*node }

func (x *nodes) node() *node {
	n := new(node)
	if k := len(x.free); k > 0 {
		n, x.free = x.free[k-1], x.free[:k-1]
	}
	x.used = append(x.used, n)
	return n
}

// Memory: a struct that the object makes in use, and keeps in a list of its own.
//
//want:exact unseen
func TestPieceOfAList(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(nodes) }}
	x := pool.Get().(*nodes)
	n := x.node()
	x.free, x.used = append(x.free, x.used...), x.used[:0]
	pool.Put(x)
	n.n = 3
}

// Memory: a field of the object, read.
//
//want:exact read-after-put
func TestFieldIsRead(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(node) }}
	x := pool.Get().(*node)
	pool.Put(x)
	_ = x.n
}

// Memory: a field of the object, written.
//
//want:exact write-after-put
//want:fast write-after-put
func TestFieldIsWritten(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(node) }}
	x := pool.Get().(*node)
	pool.Put(x)
	x.n = 1
}

type text struct{ buf []byte }

func (l *text) set(s string) { l.buf = append(l.buf[:0], s...) }

// Memory: an array in a field that is emptied and filled again, read.
//
//want:exact read-after-put
func TestLineIsRead(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(text) }}
	x := pool.Get().(*text)
	x.set("0123456789")
	b := x.buf
	pool.Put(x)
	_ = b[0]
}

// Memory: the same, by an `append` to it that has to grow it.
//
//want:exact read-after-put
//want:fast read-after-put
func TestLineIsGrown(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(text) }}
	x := pool.Get().(*text)
	x.set("0123456789")
	b := x.buf
	pool.Put(x)
	for len(b) <= cap(x.buf) {
		b = append(b, "0123456789"...)
	}
}

// Memory: the same, by `copy`, or by an `append` of it to another slice.
//
//want:exact read-after-put
func TestLineIsAppended(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(text) }}
	x := pool.Get().(*text)
	x.set("0123456789")
	b := x.buf
	pool.Put(x)
	if all := append([]byte(nil), b...); len(all) != copy(all, b) {
		t.Error(all)
	}
}

// Memory: the same, by `string(b)`.
//
//want:exact read-after-put
//want:fast read-after-put
func TestLineIsCopied(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(text) }}
	x := pool.Get().(*text)
	x.set("0123456789")
	b := x.buf
	pool.Put(x)
	if s := string(b); len(s) == 1 {
		t.Error(s)
	}
}

// Memory: the same, through a string that `unsafe` made.
//
//want:exact poison
//want:fast poison
func TestLineAsAString(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(text) }}
	x := pool.Get().(*text)
	x.set("0123456789")
	s := unsafe.String(&x.buf[0], len(x.buf))
	pool.Put(x)
	if s != "0123456789" {
		t.Error("another text")
	}
}

// Memory: a field that only atomic operations touch.
//
//want:exact unseen
func TestAtomicField(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(atomic.Int64) }}
	x := pool.Get().(*atomic.Int64)
	pool.Put(x)
	x.Add(1)
}

// Memory: an object that is copied to a local variable as a whole.
//
//want:exact unseen
func TestCopiedAsAWhole(t *testing.T) {
	pool := sync.Pool{New: func() any { return new([4]int) }}
	x := pool.Get().(*[4]int)
	pool.Put(x)
	local := *x
	if local[0] == 1 {
		t.Error(local)
	}
}
