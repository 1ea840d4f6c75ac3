// Package registered has pools whose New gives each object to other code, which goes on with it:
// it counts what all objects hold, or works for them. Such code may touch an object while it is in a pool.
package registered

import (
	"bytes"
	"container/list"
	"encoding/json"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

type shard struct {
	mu      sync.Mutex
	n       int
	samples []int
	next    *shard
	elem    *list.Element
}

func (s *shard) add(n int) {
	s.mu.Lock()
	s.n += n
	s.samples = append(s.samples[:0], n)
	s.mu.Unlock()
}

func (s *shard) sum() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.samples {
		_ = x
	}
	return s.n
}

func use(t *testing.T, pool *sync.Pool, gather func() int) {
	t.Helper()
	for range 10 {
		s := pool.Get().(*shard)
		s.add(1)
		pool.Put(s)
	}
	if n := gather(); n != 10 {
		t.Errorf("gathered %d, want 10", n)
	}
}

// New appends to a slice that a gatherer reads.
//
//want:silence
func TestAppendedToASlice(t *testing.T) {
	var mu sync.Mutex
	var all []*shard
	pool := &sync.Pool{New: func() any {
		s := &shard{samples: make([]int, 0, 4)}
		mu.Lock()
		defer mu.Unlock()
		all = append(all, s)
		return s
	}}
	use(t, pool, func() (n int) {
		for _, s := range all {
			n += s.sum()
		}
		return n
	})
}

type registry struct {
	mu   sync.Mutex
	byID map[int]*shard
	pool sync.Pool
}

func newRegistry() *registry {
	r := &registry{byID: map[int]*shard{}}
	r.pool.New = r.newShard
	return r
}

func (r *registry) newShard() any {
	s := new(shard)
	r.register(s)
	return s
}

func (r *registry) register(s *shard) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.byID[len(r.byID)] = s
}

// New is a method that gives the object to another one.
//
//want:silence
func TestRegisteredByAMethod(t *testing.T) {
	r := newRegistry()
	use(t, &r.pool, func() (n int) {
		for _, s := range r.byID {
			n += s.sum()
		}
		return n
	})
}

type mapped struct{ n int }

// The objects are the keys of a map. The gatherer changes them: a warning.
//
//want:exact own-worker
//want:fast own-worker
func TestKeysOfAMap(t *testing.T) {
	all := map[*mapped]struct{}{}
	pool := sync.Pool{New: func() any {
		m := &mapped{}
		all[m] = struct{}{}
		return m
	}}
	m := pool.Get().(*mapped)
	m.n++
	pool.Put(m)
	for m := range all {
		if m.n != 1 {
			t.Error(m.n)
		}
		m.n = 0 // a gatherer that starts to count again
	}
}

type linked struct {
	n    int64
	next *linked
}

var head atomic.Pointer[linked]

func newLinked() *linked {
	l := &linked{}
	for {
		l.next = head.Load()
		if head.CompareAndSwap(l.next, l) {
			return l
		}
	}
}

// The objects are a list without a lock.
//
//want:silence
func TestListWithoutALock(t *testing.T) {
	pool := sync.Pool{New: func() any { return newLinked() }}
	for range 3 {
		l := pool.Get().(*linked)
		l.n++
		pool.Put(l)
	}
	sum := int64(0)
	for l := head.Load(); l != nil; l = l.next {
		sum += l.n
	}
	if sum != 3 {
		t.Error(sum)
	}
}

type stored struct{ n int }

// The registry is a sync.Map.
//
//want:silence
func TestStoredInASyncMap(t *testing.T) {
	var all sync.Map
	id := 0
	pool := sync.Pool{New: func() any {
		s := &stored{}
		id++
		all.Store(id, s)
		return s
	}}
	s := pool.Get().(*stored)
	s.n = 7
	pool.Put(s)
	all.Range(func(_, v any) bool {
		if v.(*stored).n != 7 {
			t.Error(v)
		}
		return true
	})
}

type listed struct {
	n  int
	at *list.Element
}

// The object knows its place in the list that it is in.
//
//want:silence
func TestPushedToAList(t *testing.T) {
	all := list.New()
	pool := sync.Pool{New: func() any {
		l := &listed{}
		l.at = all.PushBack(l)
		return l
	}}
	l := pool.Get().(*listed)
	l.n = 7
	pool.Put(l)
	for e := all.Front(); e != nil; e = e.Next() {
		if e.Value.(*listed).n != 7 {
			t.Error(e.Value)
		}
	}
}

type stats struct{ calls int }

type worker struct {
	stats *stats
	buf   []byte
}

// Not the object is registered, but what it counts with.
//
//want:silence
func TestPartIsRegistered(t *testing.T) {
	var all []*stats
	pool := sync.Pool{New: func() any {
		s := &stats{}
		all = append(all, s)
		return &worker{stats: s, buf: make([]byte, 64)}
	}}
	w := pool.Get().(*worker)
	w.stats.calls++
	pool.Put(w)
	if all[0].calls != 1 {
		t.Error(all[0].calls)
	}
}

type collector interface{ Register(m metric) }

type metric interface{ Value() int }

type counter struct{ n int }

func (c *counter) Value() int { return c.n }

type gatherer struct{ all []metric }

func (g *gatherer) Register(m metric) { g.all = append(g.all, m) }

// The registry is behind an interface.
//
//want:silence
func TestRegisteredThroughAnInterface(t *testing.T) {
	g := &gatherer{}
	var c collector = g
	pool := sync.Pool{New: func() any {
		m := &counter{}
		c.Register(m)
		return m
	}}
	m := pool.Get().(*counter)
	m.n = 7
	pool.Put(m)
	for _, m := range g.all {
		if m.Value() != 7 {
			t.Error(m.Value())
		}
	}
}

type job struct {
	in   chan int
	out  chan int
	done int
}

// New starts the goroutine that works for the object, in whoever's hands it is. It changes the
// object: a warning.
//
//want:exact own-worker
//want:fast own-worker
func TestGoroutineOfNew(t *testing.T) {
	pool := sync.Pool{New: func() any {
		j := &job{in: make(chan int), out: make(chan int)}
		go func() {
			for x := range j.in {
				j.out <- x
				j.done++
			}
		}()
		return j
	}}
	j := pool.Get().(*job)
	in, out := j.in, j.out
	in <- 1
	<-out
	pool.Put(j)
	in <- 2 // the next user's
	<-out
	close(in)
}

type late struct{ n int }

// The pool has no New: the object is made and registered where Get gives none.
//
//want:silence
func TestMadeWhereGetGivesNone(t *testing.T) {
	var pool sync.Pool
	var all []*late
	get := func() *late {
		l, ok := pool.Get().(*late)
		if !ok {
			l = &late{}
			all = append(all, l)
		}
		return l
	}
	l := get()
	l.n = 7
	pool.Put(l)
	if all[0].n != 7 {
		t.Error(all[0].n)
	}
}

type generic[T any] struct {
	pool sync.Pool
	all  []*T
}

func newGeneric[T any](make func() *T) *generic[T] {
	g := &generic[T]{}
	g.pool.New = func() any {
		x := make()
		g.all = append(g.all, x)
		return x
	}
	return g
}

type node struct{ n int }

// A pool of any type registers.
//
//want:silence
func TestRegisteredByAGenericPool(t *testing.T) {
	g := newGeneric(func() *node { return &node{} })
	n := g.pool.Get().(*node)
	n.n = 7
	g.pool.Put(n)
	if g.all[0].n != 7 {
		t.Error(g.all[0].n)
	}
}

var constructed []*built

type built struct{ n int }

func newBuilt() *built {
	b := &built{}
	constructed = append(constructed, b)
	return b
}

type wrapper[T any] struct {
	pool sync.Pool
	make func() *T
}

func (w *wrapper[T]) get() *T {
	if x, ok := w.pool.Get().(*T); ok {
		return x
	}
	return w.make()
}

// A constructor registers, and is given to a generic pool.
//
//want:silence
func TestRegisteredByAConstructor(t *testing.T) {
	w := &wrapper[built]{make: newBuilt}
	b := w.get()
	b.n = 7
	w.pool.Put(b)
	if constructed[0].n != 7 {
		t.Error(constructed[0].n)
	}
}

// What is registered is put twice: that stays a misuse.
//
//want:exact double-put
//want:fast double-put
func TestRegisteredObjectIsPutTwice(t *testing.T) {
	var all []*shard
	pool := sync.Pool{New: func() any {
		s := &shard{}
		all = append(all, s)
		return s
	}}
	s := pool.Get().(*shard)
	pool.Put(s)
	pool.Put(s)
	_ = all
}

type encoder struct {
	buf   bytes.Buffer
	enc   *json.Encoder
	done  func()
	self  *encoder
	count int
}

func (e *encoder) init() *encoder {
	e.enc = json.NewEncoder(&e.buf)
	e.self = e
	return e
}

var encoders sync.Pool

func newEncoder() any {
	e := (&encoder{}).init()
	e.done = func() { encoders.Put(e) }
	runtime.SetFinalizer(e, func(e *encoder) { e.buf.Reset() })
	return e
}

// New gives the object to nothing but its own parts.
//
//want:exact read-after-put
func TestPartsKnowTheirObject(t *testing.T) {
	encoders.New = newEncoder
	e := encoders.Get().(*encoder)
	e.count = 1
	e.done()
	if e.count != 1 {
		t.Error(e.count)
	}
}

type cached struct{ n int }

var cache = map[string]*cached{}

// A user, not New, keeps the object.
//
//want:exact read-after-put write-after-put
//want:fast write-after-put
func TestUserKeepsTheObject(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(cached) }}
	c := pool.Get().(*cached)
	cache["x"] = c
	pool.Put(c)
	cache["x"].n++
}

type active struct{ n int }

var inUse = map[*active]bool{}

// The list of objects in use is set with each Get, also where it makes one.
//
//want:exact read-after-put write-after-put
//want:fast write-after-put
func TestListOfObjectsInUse(t *testing.T) {
	var pool sync.Pool
	a, ok := pool.Get().(*active)
	if !ok {
		a = new(active)
	}
	inUse[a] = true
	pool.Put(a)
	for a := range inUse { // it was not taken off the list
		a.n++
	}
}
