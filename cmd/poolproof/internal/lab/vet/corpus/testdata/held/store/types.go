// Package store has the bugs of databases and of what keeps metrics: iterators,
// caches, slices of labels, timers. Each was published; its comment says where.
package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"example.org/held/lib/iters"
)

var (
	errTooLarge = errors.New("store: pool is exhausted")
	errOrder    = errors.New("store: out of order")
)

// bucketed has a pool for each size, and counts the bytes that are out.
type bucketed struct {
	buckets []sync.Pool
	sizes   []int
	limit   uint64

	mu  sync.Mutex
	out uint64
}

func newBucketed(smallest, largest int, limit uint64) *bucketed {
	b := &bucketed{limit: limit}
	for n := smallest; n <= largest; n *= 2 {
		b.sizes = append(b.sizes, n)
	}
	b.buckets = make([]sync.Pool, len(b.sizes))
	return b
}

// get returns an empty slice of at least this capacity.
func (b *bucketed) get(n int) (*[]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.limit > 0 && b.out+uint64(n) > b.limit {
		return nil, errTooLarge
	}
	for i, size := range b.sizes {
		if n > size {
			continue
		}
		p, ok := b.buckets[i].Get().(*[]byte)
		if !ok {
			s := make([]byte, 0, size)
			p = &s
		}
		b.out += uint64(cap(*p))
		return p, nil
	}
	s := make([]byte, 0, n)
	b.out += uint64(n)
	return &s, nil
}

type pair struct{ name, value []byte }

// series is a row of a write request: labels that share memory with it.
type series struct {
	labels []pair
	values []float64
}

type writeRequest struct {
	series []*series
}

var (
	oneSeries = sync.Pool{New: func() any { return &series{labels: make([]pair, 0, 16)} }}
	requests  = sync.Pool{New: func() any { return new(writeRequest) }}
)

// reuse gives back a request and all of its rows.
func reuse(r *writeRequest) {
	for i, s := range r.series {
		clear(s.labels)
		s.labels = s.labels[:0]
		s.values = s.values[:0]
		oneSeries.Put(s)
		r.series[i] = nil
	}
	r.series = r.series[:0]
	requests.Put(r)
}

// rejected says which row was not taken.
type rejected struct {
	labels []pair
	cause  error
}

func (e *rejected) Error() string {
	s := e.cause.Error()
	for _, l := range e.labels {
		s += fmt.Sprintf(" %s=%s", l.name, l.value)
	}
	return s
}

type ingester struct {
	last map[string]float64
}

func (g *ingester) add(s *series) error {
	for _, v := range s.values {
		key := fmt.Sprint(s.labels)
		if v < g.last[key] {
			return &rejected{labels: s.labels, cause: errOrder}
		}
		g.last[key] = v
	}
	return nil
}

// meta describes a series of a query.
type meta struct {
	labels string
	drop   bool
}

// metas is a typed pool of slices.
type metas struct{ pool sync.Pool }

func (p *metas) get(n int) *[]meta {
	if s, ok := p.pool.Get().(*[]meta); ok && cap(*s) >= n {
		return s
	}
	s := make([]meta, 0, n)
	return &s
}

func (p *metas) put(s *[]meta) {
	clear(*s)
	*s = (*s)[:0]
	p.pool.Put(s)
}

var metaPool metas

type operand interface {
	series(ctx context.Context) (*[]meta, error)
	use(n int)
}

type binary struct {
	left, right         operand
	leftMeta, rightMeta *[]meta
	leftUsed, rightUsed []bool
}

func (b *binary) load(ctx context.Context) (err error) {
	if b.leftMeta, err = b.left.series(ctx); err != nil {
		return err
	}
	b.rightMeta, err = b.right.series(ctx)
	return err
}

// match pairs the two sides.
func (b *binary) match() []meta {
	var out []meta
	b.leftUsed = make([]bool, len(*b.leftMeta))
	b.rightUsed = make([]bool, len(*b.rightMeta))
	for i, l := range *b.leftMeta {
		for j, r := range *b.rightMeta {
			if l.labels == r.labels {
				b.leftUsed[i], b.rightUsed[j] = true, true
				out = append(out, meta{labels: l.labels, drop: true})
			}
		}
	}
	return out
}

type chunkRef struct{ from, through, sum uint32 }

// chunkRefs is a pool of slices by value, behind pointers.
type chunkRefs struct{ pool sync.Pool }

func (p *chunkRefs) get() []chunkRef {
	if s, ok := p.pool.Get().(*[]chunkRef); ok {
		return (*s)[:0]
	}
	return make([]chunkRef, 0, 64)
}

var chunkPool chunkRefs

type index interface {
	chunks(ctx context.Context, user string, from, through uint32, res []chunkRef) ([]chunkRef, error)
}

// db is what a key-value store of a chain is.
type db struct{ keys [][]byte }

func (d *db) compact(from, to []byte) error { return nil }

// dbIterator fits an iterator to the interface of the chain.
type dbIterator struct {
	it    *iters.Iterator
	moved bool
}

func (d *db) newIterator(prefix []byte) *dbIterator {
	it, err := iters.Open(d.keys, prefix, nil)
	if err != nil {
		return &dbIterator{it: new(iters.Iterator)}
	}
	return &dbIterator{it: it, moved: it.Next()}
}

func (i *dbIterator) Next() bool {
	if i.moved {
		i.moved = false
		return true
	}
	return i.it.Next()
}

func (i *dbIterator) Key() []byte { return i.it.Key() }

type block struct {
	ranges []byte
	points [][]byte
}

// merged closes its levels when it is closed.
type merged struct{ levels []*iters.Fragment }

func newMerged(levels ...*iters.Fragment) *merged { return &merged{levels: levels} }

func (m *merged) Next() bool {
	for _, l := range m.levels {
		if l.Next() {
			return true
		}
	}
	return false
}

func (m *merged) Close() (err error) {
	for _, l := range m.levels {
		err = errors.Join(err, l.Close())
	}
	m.levels = nil
	return err
}

// external goes over files that are in no table yet.
type external struct {
	levels []*iters.Iterator
	bounds [2][]byte
}

var externals = sync.Pool{New: func() any { return new(external) }}

func (e *external) Close() (err error) {
	for i, l := range e.levels {
		err = errors.Join(err, l.Close())
		e.levels[i] = nil
	}
	e.levels = e.levels[:0]
	externals.Put(e)
	return err
}

// wrapped is the storage engine's iterator.
type wrapped struct {
	it    *iters.Iterator
	lower []byte
	inUse bool
}

var wrappers = sync.Pool{New: func() any { return new(wrapped) }}

func (w *wrapped) open(keys [][]byte, lower, upper []byte) (err error) {
	w.lower = append(w.lower[:0], lower...)
	w.it, err = iters.Open(keys, w.lower, upper)
	w.inUse = err == nil
	return err
}

func (w *wrapped) destroy() {
	if w.inUse {
		panic("store: an iterator is destroyed while it is used")
	}
	lower := w.lower[:0]
	*w = wrapped{lower: lower}
	wrappers.Put(w)
}

// worker gathers the rows of a query, one slot for each processor.
type worker struct {
	slots [][]series
	tags  map[string]string
}

var workers = sync.Pool{New: func() any { return &worker{tags: map[string]string{}} }}

func getWorker(n int) *worker {
	w := workers.Get().(*worker)
	if cap(w.slots) < n {
		w.slots = make([][]series, n)
	}
	w.slots = w.slots[:n]
	return w
}

func putWorker(w *worker) {
	for i := range w.slots {
		w.slots[i] = w.slots[i][:0]
	}
	clear(w.tags)
	workers.Put(w)
}

type results struct{ rows []series }

func (r *results) parallel(n int, f func(s *series, worker int) error) error {
	for i := range r.rows {
		if err := f(&r.rows[i], i%n); err != nil {
			return err
		}
	}
	return nil
}

type relabel struct{ rules map[string]string }

var relabels = sync.Pool{New: func() any { return &relabel{rules: map[string]string{}} }}

func putRelabel(r *relabel) {
	clear(r.rules)
	relabels.Put(r)
}

var batches = sync.Pool{New: func() any { return new([]series) }}

func putBatch(b *[]series) {
	clear(*b)
	*b = (*b)[:0]
	batches.Put(b)
}

// mysql is a connection whose last packet is kept for whoever decodes it.
type mysql struct {
	r     io.Reader
	last  *[]byte
	sizes *bucketed
}

// object is what a cache is asked to keep.
type object struct {
	kind  string
	value []byte
	ttl   int
}

var objects = sync.Pool{New: func() any { return object{} }}
