package stale

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"
	"sync/atomic"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func acquire() *bytes.Buffer  { return bufs.Get().(*bytes.Buffer) }
func release(b *bytes.Buffer) { bufs.Put(b) }

func hello(w io.WriterTo) []byte {
	b := acquire() // want `nothing resets b, so that this function reads`
	defer release(b)
	b.WriteString("hello")
	return append([]byte(nil), b.Bytes()...)
}

var clean = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func acquireClean() *bytes.Buffer {
	b := clean.Get().(*bytes.Buffer)
	b.Reset()
	return b
}
func releaseClean(b *bytes.Buffer) { clean.Put(b) }

func helloClean() []byte {
	b := acquireClean()
	defer releaseClean(b)
	b.WriteString("hello")
	return append([]byte(nil), b.Bytes()...)
}

type request struct {
	Puts []string
	Name string
}

var requests = sync.Pool{New: func() any { return new(request) }}

func handle(p []byte) (int, error) {
	r := requests.Get().(*request) // want `keeps what its last user decoded`
	defer requests.Put(r)
	if err := json.Unmarshal(p, r); err != nil {
		return 0, err
	}
	return len(r.Puts), nil
}

func handleRight(p []byte) (int, error) {
	r := requests.Get().(*request)
	defer requests.Put(r)
	*r = request{}
	if err := json.Unmarshal(p, r); err != nil {
		return 0, err
	}
	return len(r.Puts), nil
}

type ctx struct {
	mu      sync.Mutex
	id      string
	user    *string
	status  int
	traced  int32
	written bool
	n       int
}

var ctxs = sync.Pool{New: func() any { return new(ctx) }}

func newCtx(id string) *ctx {
	c := ctxs.Get().(*ctx)
	c.reset(id)
	return c
}

func (c *ctx) Free() { ctxs.Put(c) }

func (c *ctx) reset(id string) {
	c.id = id
	c.user = nil
	c.status = 200
	c.n = 0 // want `reset leaves traced, written of the pooled ctx as the last user left it`
}

func (c *ctx) Trace() bool { return atomic.CompareAndSwapInt32(&c.traced, 0, 1) }

func (c *ctx) WriteHeader(n int) {
	if c.written {
		return
	}
	c.status, c.written = n, true
}

type made struct {
	a, b, c int
	table   []int
	other   []int
	last    int
	state   int
}

var mades = sync.Pool{New: func() any { return &made{table: make([]int, 10), other: make([]int, 10)} }}

func (m *made) reset() {
	m.a, m.b, m.c = 0, 0, 0
}

// What the struct is made with stays, whatever is done with it.
func (m *made) Swap() {
	if m.a > 0 {
		m.table, m.other = m.other, m.table
	}
	if m.b > 0 {
		m.last = m.a
	}
}

// This clears what it sets.
func (m *made) Done() { m.last = 0 }

// Each user begins with this.
func (m *made) begin() { m.state = 1 }

func use() int {
	m := mades.Get().(*made)
	defer mades.Put(m)
	m.reset()
	m.begin()
	m.Swap()
	return m.state
}
