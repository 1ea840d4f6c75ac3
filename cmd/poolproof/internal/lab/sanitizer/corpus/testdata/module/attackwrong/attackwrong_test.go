// Package attackwrong has misuses that a reader of the guide drew to hide them from its rules.
package attackwrong

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"iter"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// 1: a generic pool with a constructor in a field; the child is reset, not made again.
type pool[T any] struct {
	p    sync.Pool
	make func() T
}

func (p *pool[T]) get() T {
	if v, ok := p.p.Get().(T); ok {
		return v
	}
	return p.make()
}

func (p *pool[T]) put(v T) { p.p.Put(v) }

type result struct{ code int }
type call struct{ res *result }

var calls = &pool[*call]{make: func() *call { return &call{res: new(result)} }}

//want:exact read-after-put
func TestChildOfAGenericPool(t *testing.T) {
	c := calls.get()
	res := c.res
	res.code = 3
	calls.put(c)
	if res.code == 4 {
		t.Error(res.code)
	}
}

// 2: the rows in the values of a map are used again.
type groups struct{ rows map[string][]int }

var groupPool = sync.Pool{New: func() any { return &groups{rows: map[string][]int{}} }}

func group(k string, xs ...int) []int {
	g := groupPool.Get().(*groups)
	defer groupPool.Put(g)
	g.rows[k] = append(g.rows[k][:0], xs...)
	return g.rows[k]
}

//want:exact read-after-put
func TestRowOfAMap(t *testing.T) {
	if r := group("a", 1, 2); r[0] == 9 {
		t.Error(r)
	}
}

// 3: the entries of a map are used again.
type entry struct{ hits int }
type index struct{ byName map[string]*entry }

var indexes = sync.Pool{New: func() any { return &index{byName: map[string]*entry{}} }}

func hit(k string) *entry {
	x := indexes.Get().(*index)
	defer indexes.Put(x)
	e := x.byName[k]
	if e == nil {
		e = &entry{}
		x.byName[k] = e
	}
	e.hits++
	return e
}

//want:exact unseen
func TestEntryOfAMap(t *testing.T) {
	hit("a").hits = 7
}

// 4: the object has a free list of its own.
type piece struct{ n int }
type arena struct{ used, free []*piece }

var arenas = sync.Pool{New: func() any { return new(arena) }}

func (a *arena) piece() *piece {
	var p *piece
	if n := len(a.free); n > 0 {
		p, a.free = a.free[n-1], a.free[:n-1]
	} else {
		p = new(piece)
	}
	a.used = append(a.used, p)
	return p
}

func (a *arena) release() {
	a.free = append(a.free, a.used...)
	a.used = a.used[:0]
	arenas.Put(a)
}

//want:exact unseen
func TestPieceOfAFreeList(t *testing.T) {
	a := arenas.Get().(*arena)
	p := a.piece()
	a.release()
	p.n = 3
}

// 5: nodes of a list that the object keeps.
type node struct {
	next *node
	val  int
}
type list struct{ head *node }

var lists = sync.Pool{New: func() any { return &list{head: &node{}} }}

//want:exact read-after-put
func TestNodeOfAList(t *testing.T) {
	l := lists.Get().(*list)
	if l.head.next == nil {
		l.head.next = &node{val: 2}
	}
	n := l.head.next
	lists.Put(l)
	if n.val == 3 {
		t.Error(n.val)
	}
}

// 6: a writer writes into a buffer of the object through an interface.
type page struct {
	buf bytes.Buffer
	w   io.Writer
}

var pages = sync.Pool{New: func() any {
	p := new(page)
	p.w = &p.buf
	return p
}}

func renderPage(s string) []byte {
	p := pages.Get().(*page)
	defer pages.Put(p)
	p.buf.Reset()
	io.WriteString(p.w, s)
	return p.buf.Bytes()
}

//want:exact read-after-put
func TestBytesOfAPage(t *testing.T) {
	if b := renderPage("hello"); b[0] == 'x' {
		t.Error(b)
	}
}

// 7: what Peek returned is read after Put.
var readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 64) }}

func magic(r io.Reader) []byte {
	br := readers.Get().(*bufio.Reader)
	br.Reset(r)
	defer readers.Put(br)
	head, _ := br.Peek(4)
	return head
}

//want:exact read-after-put
func TestPeeked(t *testing.T) {
	if h := magic(strings.NewReader("PNG data")); h[0] != 'P' && h[0] != 0xdb {
		t.Error(h)
	}
}

// 8: a closure reads the object later.
type query struct{ args []string }

var queries = sync.Pool{New: func() any { return new(query) }}

func describe(args ...string) func() string {
	q := queries.Get().(*query)
	defer queries.Put(q)
	q.args = append(q.args[:0], args...)
	return func() string { return strings.Join(q.args, " ") }
}

//want:exact read-after-put
func TestClosureReadsLater(t *testing.T) {
	if s := describe("a", "b")(); s == "x" {
		t.Error(s)
	}
}

// 9: the sequence is walked after its list was put.
type bag struct{ items []int }

var bags = sync.Pool{New: func() any { return &bag{items: make([]int, 0, 4)} }}

func evens(n int) iter.Seq[int] {
	b := bags.Get().(*bag)
	defer bags.Put(b)
	b.items = b.items[:0]
	for i := 0; i < n; i += 2 {
		b.items = append(b.items, i)
	}
	return slices.Values(b.items)
}

//want:exact read-after-put
func TestSequenceIsWalkedLater(t *testing.T) {
	sum := 0
	for v := range evens(5) {
		sum += v
	}
	if sum == 1 {
		t.Error(sum)
	}
}

// 10: a late answer is sent into the channel of an object that was put.
type rpc struct{ reply chan int }

var rpcs = sync.Pool{New: func() any { return &rpc{reply: make(chan int, 1)} }}

//want:exact unseen
func TestLateReply(t *testing.T) {
	r := rpcs.Get().(*rpc)
	reply := r.reply
	rpcs.Put(r)
	reply <- 3
}

// 11: a goroutine that nobody waits for sets the error.
type job struct {
	err  error
	done bool
}

var jobs = sync.Pool{New: func() any { return new(job) }}

//want:exact write-after-put
//want:fast write-after-put
func TestErrorIsSetLate(t *testing.T) {
	j := jobs.Get().(*job)
	start, end := make(chan int), make(chan int)
	go func() {
		defer close(end)
		<-start
		j.err = io.EOF
	}()
	jobs.Put(j)
	close(start)
	<-end
}

// 12: Close puts, and the one who opened it puts too.
type conn struct{ buf [64]byte }

var conns = sync.Pool{New: func() any { return new(conn) }}

func (c *conn) Close() error { conns.Put(c); return nil }

func use(c io.Closer) { defer c.Close() }

//want:exact double-put
//want:fast double-put
func TestClosedAndPut(t *testing.T) {
	c := conns.Get().(*conn)
	defer conns.Put(c)
	use(c)
}

// 13: the buffer goes back by itself, and with its object.
type frame struct{ buf []byte }

var bufs = sync.Pool{New: func() any { b := make([]byte, 32); return &b }}
var frames = sync.Pool{New: func() any { return &frame{buf: make([]byte, 32)} }}

//want:exact alias-put
//want:fast alias-put
func TestArrayIsPutWithItsObject(t *testing.T) {
	f := frames.Get().(*frame)
	bufs.Put(&f.buf)
	frames.Put(f)
}

// 14: the array within the object is turned to a string after Put.
type label struct {
	n   int
	raw [32]byte
}

var labels = sync.Pool{New: func() any { return new(label) }}

//want:exact read-after-put
func TestArrayWithinTheObject(t *testing.T) {
	l := labels.Get().(*label)
	raw := l.raw[:copy(l.raw[:], "label")]
	labels.Put(l)
	if string(raw) == "x" {
		t.Error(raw)
	}
}

// 15: a part is put by its user and by its owner.
type part struct{ b [16]byte }
type whole struct{ part *part }

var parts = sync.Pool{New: func() any { return new(part) }}
var wholes = sync.Pool{New: func() any { return new(whole) }}

func (w *whole) release() {
	parts.Put(w.part)
	wholes.Put(w)
}

//want:exact double-put
//want:fast double-put
func TestPartIsPutTwice(t *testing.T) {
	w := wholes.Get().(*whole)
	w.part = parts.Get().(*part)
	parts.Put(w.part)
	w.release()
}

// 16: a timer uses the object after Put.
type lease struct {
	mu      sync.Mutex
	expired bool
}

var leases = sync.Pool{New: func() any { return new(lease) }}

//want:exact write-after-put
//want:fast write-after-put?
func TestTimerUsesTheObject(t *testing.T) {
	l := leases.Get().(*lease)
	fired := make(chan int)
	timer := time.AfterFunc(time.Hour, func() { l.expired = true; close(fired) })
	leases.Put(l)
	timer.Reset(0)
	<-fired
}

// 17: the header that New made is read after Put.
type response struct{ header http.Header }

var responses = sync.Pool{New: func() any { return &response{header: http.Header{}} }}

func headers(v string) http.Header {
	r := responses.Get().(*response)
	defer func() { clear(r.header); responses.Put(r) }()
	r.header.Set("X", v)
	return r.header
}

//want:exact read-after-put
//want:fast read-after-put?
func TestHeaderOfAResponse(t *testing.T) {
	if h := headers("a"); h.Get("X") == "b" {
		t.Error(h)
	}
}

// 18: a value of a context outlives its request.
type user struct{ name string }
type userKey struct{}

var users = sync.Pool{New: func() any { return new(user) }}

func serve(name string, next func(context.Context)) {
	u := users.Get().(*user)
	defer users.Put(u)
	u.name = name
	next(context.WithValue(context.Background(), userKey{}, u))
}

//want:exact read-after-put
func TestValueOfAContextIsReadLater(t *testing.T) {
	var ctx context.Context
	serve("ann", func(c context.Context) { ctx = c })
	if u := ctx.Value(userKey{}).(*user); u.name == "bob" {
		t.Error(u.name)
	}
}
