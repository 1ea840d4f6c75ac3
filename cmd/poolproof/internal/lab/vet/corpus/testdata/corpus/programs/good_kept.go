package programs

import (
	"bufio"
	"errors"
	"io"
	"iter"
	"slices"
	"sort"
	"strings"
	"sync"
)

// 4. Pools in a map by size, filled at the start, read under a lock.

type sized struct {
	mu    sync.RWMutex
	pools map[int]*sync.Pool
}

func (s *sized) pool(n int) *sync.Pool {
	s.mu.RLock()
	p := s.pools[n]
	s.mu.RUnlock()
	if p != nil {
		return p
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if p = s.pools[n]; p == nil {
		p = &sync.Pool{New: func() any { b := make([]byte, n); return &b }} // fine "PV010|PV018" the pool is kept in the map
		s.pools[n] = p
	}
	return p
}

func (s *sized) with(n int, f func([]byte) error) error {
	p := s.pool(n)
	b := p.Get().(*[]byte) // fine "PV018" each pool of the map has a New
	defer p.Put(b)
	return f((*b)[:n]) // fine "PV003" the error is no memory of the slice
}

// 5. A generic pool with a reset, behind an interface.

type resetter interface{ Reset() }

type store[T resetter] struct{ p sync.Pool }

func newStore[T resetter](mk func() T) *store[T] {
	s := &store[T]{}
	s.p.New = func() any { return mk() } // fine "PV009" the pool is made here, and set once
	return s
}

func (s *store[T]) get() T { return s.p.Get().(T) } // fine "PV018" the caller of newStore says how a value is made

func (s *store[T]) put(v T) {
	v.Reset()
	s.p.Put(v) // fine "PV008" T is a pointer where it is used
}

type lender[T any] interface {
	get() T
	put(T)
}

func use[T any](l lender[T], f func(T) error) (err error) {
	v := l.get()
	defer func() {
		if r := recover(); r != nil {
			err = errors.New("panicked")
			return // dropped on purpose: it may be half done
		}
		l.put(v)
	}()
	return f(v) // fine "PV003" the error is no memory of the value
}

// 6. An iterator that lends one line buffer for as long as it runs.

var scratch = sync.Pool{New: func() any { b := make([]byte, 0, 256); return &b }}

func fields(r *bufio.Reader) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		b := scratch.Get().(*[]byte)
		defer func() {
			*b = (*b)[:0]
			scratch.Put(b) // fine "PV013" the slice is stored back before
		}()
		for {
			c, err := r.ReadByte()
			if err == io.EOF {
				break
			}
			if err != nil {
				yield("", err)
				return // fine "PV005" the deferred literal puts it
			}
			if c != ' ' {
				*b = append(*b, c)
				continue
			}
			if !yield(string(*b), nil) { // fine "PV004" a copy is yielded
				return
			}
			*b = (*b)[:0]
		}
		if len(*b) > 0 {
			yield(string(*b), nil)
		}
	}
}

// 7. A method value as the function that ends.

type session struct {
	log  strings.Builder
	open bool
}

var sessions = sync.Pool{New: func() any { return new(session) }}

func (s *session) close() {
	s.open = false
	s.log.Reset()
	sessions.Put(s)
}

func open() (*session, func()) {
	s := sessions.Get().(*session)
	s.open = true
	return s, s.close // fine "PV003" the session goes with the function that ends it
}

func visit(names []string) string {
	s, end := open()
	defer end()
	for _, n := range names {
		s.log.WriteString(n)
	}
	return s.log.String() // fine "PV003" String copies nothing, but Reset drops its memory
}

// 8. A table of rows that are all put at the end, whatever the order.

type row struct {
	cells []string
	sum   int
}

var rows = sync.Pool{New: func() any { return new(row) }}

func top(lines []string, n int) []int {
	all := make([]*row, 0, len(lines))
	defer func() {
		for i, r := range all {
			clear(r.cells)
			r.cells, r.sum = r.cells[:0], 0
			rows.Put(r) // fine "PV002" each row is in the list once
			all[i] = nil
		}
	}()
outer:
	for _, l := range lines {
		r := rows.Get().(*row)
		for c := range strings.SplitSeq(l, ",") {
			if c == "" {
				rows.Put(r)
				continue outer // fine "PV001|PV005" the row was put just before
			}
			r.cells = append(r.cells, c)
			r.sum += len(c)
		}
		all = append(all, r) // fine "PV004" the rows end in the deferred literal
	}
	sort.Slice(all, func(i, j int) bool { return all[i].sum > all[j].sum })
	out := make([]int, 0, n)
	for _, r := range all[:min(n, len(all))] {
		out = append(out, r.sum)
	}
	return out // fine "PV003" the numbers are copies
}

// 9. Swap of the old for the new under a lock: only the old one is put.

type current struct {
	mu  sync.Mutex
	now *row
}

func (c *current) set(cells []string) {
	r := rows.Get().(*row)
	r.cells = append(r.cells[:0], cells...)
	c.mu.Lock()
	old := c.now
	c.now = r
	c.mu.Unlock()
	if old != nil && old != r {
		rows.Put(old) // fine "PV002|PV004" the old one is no longer current
	}
}

func (c *current) drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now != nil {
		rows.Put(c.now)
		c.now = nil // fine "PV015" the field is emptied under the lock
	}
}

func (c *current) copyOf() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now == nil {
		return nil
	}
	return slices.Clone(c.now.cells) // fine "PV003" a clone is returned
}
