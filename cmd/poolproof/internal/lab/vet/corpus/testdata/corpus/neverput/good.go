package neverput

import (
	"bytes"
	"io"
	"sync"

	"example.org/corpus/lib/bufs"
	"example.org/corpus/lib/gpool"
	"example.org/corpus/lib/jobs"
	"example.org/corpus/lib/journal"
	"example.org/corpus/lib/lease"
)

// Getters hand on what they got.

func get() *bytes.Buffer {
	return buffers.Get().(*bytes.Buffer) // fine "PV006" the caller's
}

func getCleared() *scratch {
	s := scratches.Get().(*scratch)
	*s = scratch{}
	return s // fine "PV006" the caller's
}

func getAs(n int) (w io.Writer) {
	b := bufs.Get()
	b.Grow(n)
	w = b
	return // fine "PV006" the caller's, as an interface
}

type writer struct {
	buf *bytes.Buffer
	err error
}

func newWriter() *writer {
	return &writer{buf: buffers.Get().(*bytes.Buffer)} // fine "PV006" the writer's
}

func (w *writer) Close() error {
	buffers.Put(w.buf)
	w.buf = nil
	return w.err
}

func (w *writer) grow() {
	w.buf = bufs.Get() // fine "PV006" the writer's
}

func sent(out chan<- *scratch) {
	s := scratches.Get().(*scratch)
	s.n = 1
	out <- s // fine "PV006" the receiver's
}

func kept(j *journal.Journal, name string) {
	b := bufs.Get()
	b.WriteString(name)
	j.Keep(b) // fine "PV006" the journal's
}

func mapped(m map[string]*scratch, name string) {
	s := scratches.Get().(*scratch)
	s.n = len(name)
	m[name] = s // fine "PV006" the map's
}

func collected(n int) (all []*scratch) {
	for range n {
		all = append(all, scratches.Get().(*scratch)) // fine "PV006" the caller's
	}
	return all
}

func goroutine(use func(*scratch)) {
	s := scratches.Get().(*scratch)
	go func() {
		use(s) // fine "PV006" handed to a function that nobody knows
	}()
}

func toFunctionValue(consume func(*bytes.Buffer)) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	consume(b) // fine "PV006" it may put
}

type sink interface{ Release(*bytes.Buffer) }

func toInterface(s sink) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	s.Release(b) // fine "PV006" a method that is named so
}

func toConsumer(w io.Writer) error {
	j := jobs.New(2)
	return jobs.Finish(j, w) // fine "PV006" released there
}

func sum[T any](p *gpool.Pool[T], use func(*T) int) int {
	x := p.Get()
	defer p.Put(x)
	return use(x) // fine "PV006" deferred
}

func leased(name string) int {
	b, release := lease.Acquire()
	n, _ := b.WriteString(name)
	release()
	return n // fine "PV006" released
}

// The pool of pools: what was got is put by the last one out.
type group struct {
	mu    sync.Mutex
	parts []*scratch
}

func (g *group) add() {
	s := scratches.Get().(*scratch)
	g.mu.Lock()
	g.parts = append(g.parts, s) // fine "PV006" the group's
	g.mu.Unlock()
}

func (g *group) done() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, s := range g.parts {
		scratches.Put(s)
		g.parts[i] = nil
	}
	g.parts = g.parts[:0]
}

// The method that puts is kept in a variable.
var release = jobs.Finish

func throughVariable(w io.Writer) error {
	j := jobs.New(3)
	return release(j, w) // fine "PV006" the whole object goes to a function value
}

// It is no pool, only named like one.
type stock struct{ n int }

func (s *stock) Get() int  { s.n++; return s.n }
func (s *stock) Put(n int) { s.n = n }

func fromStock(s *stock) int {
	n := s.Get()
	return n // fine "PV006" a number
}

// Initialised before it is used: what Get returned is dropped with the test of
// its size, on purpose.
func fitting(n int) []byte {
	p := slices.Get().(*[]byte)
	if cap(*p) < n {
		*p = make([]byte, n)
	}
	b := (*p)[:n]
	*p = nil
	slices.Put(p)
	return b // fine "PV001 PV003" the box is put without it
}

var slices = sync.Pool{New: func() any { return new([]byte) }}
