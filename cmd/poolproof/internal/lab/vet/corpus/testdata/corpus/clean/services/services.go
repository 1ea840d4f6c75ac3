// Package services has everyday programs that use pools rightly, written before the rules
// saw them.
package services

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net"
	"net/http"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Responses are encoded into a pooled buffer, then copied out.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func WriteJSON(w http.ResponseWriter, v any) {
	buf := buffers.Get().(*bytes.Buffer)
	defer func() {
		if buf.Cap() <= 64<<10 {
			buf.Reset()
			buffers.Put(buf)
		}
	}()
	if err := json.NewEncoder(buf).Encode(v); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Length", strconv.Itoa(buf.Len()))
	w.Write(buf.Bytes())
}

// A connection owns its reader until Close.
var readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 4096) }}

type Conn struct {
	net.Conn
	r    *bufio.Reader
	once sync.Once
}

func NewConn(c net.Conn) *Conn {
	r := readers.Get().(*bufio.Reader)
	r.Reset(c)
	return &Conn{Conn: c, r: r}
}

func (c *Conn) Line() (string, error) { return c.r.ReadString('\n') }

func (c *Conn) Close() (err error) {
	c.once.Do(func() {
		err = c.Conn.Close()
		c.r.Reset(nil)
		readers.Put(c.r)
		c.r = nil
	})
	return err
}

// Jobs go through a channel; the worker puts them.
type job struct {
	id   int
	body []byte
	res  chan error
}

var jobs = sync.Pool{New: func() any { return &job{res: make(chan error, 1)} }}

type Workers struct{ ch chan *job }

func (w *Workers) Do(ctx context.Context, id int, body []byte) error {
	j := jobs.Get().(*job)
	j.id, j.body = id, append(j.body[:0], body...)
	select {
	case w.ch <- j:
	case <-ctx.Done():
		jobs.Put(j)
		return ctx.Err()
	}
	err := <-j.res
	jobs.Put(j)
	return err
}

func (w *Workers) run(f func(int, []byte) error) {
	for j := range w.ch {
		j.res <- f(j.id, j.body)
	}
}

// A tree built from pooled nodes and given back as a whole.
type node struct {
	key         string
	left, right *node
}

var nodes = sync.Pool{New: func() any { return new(node) }}

type Tree struct{ root *node }

func (t *Tree) Add(key string) {
	at := &t.root
	for *at != nil {
		switch {
		case key < (*at).key:
			at = &(*at).left
		case key > (*at).key:
			at = &(*at).right
		default:
			return
		}
	}
	n := nodes.Get().(*node)
	n.key = key
	*at = n
}

func (t *Tree) Free() {
	free(t.root)
	t.root = nil
}

func free(n *node) {
	if n == nil {
		return
	}
	free(n.left)
	free(n.right)
	*n = node{}
	nodes.Put(n)
}

// Messages are counted.
type Message struct {
	refs atomic.Int32
	data []byte
}

var messages = sync.Pool{New: func() any { return new(Message) }}

func NewMessage(data []byte) *Message {
	m := messages.Get().(*Message)
	m.refs.Store(1)
	m.data = append(m.data[:0], data...)
	return m
}

func (m *Message) Retain() *Message { m.refs.Add(1); return m }

func (m *Message) Release() {
	if m.refs.Add(-1) == 0 {
		messages.Put(m)
	}
}

func Broadcast(data []byte, to []chan<- *Message) {
	m := NewMessage(data)
	for _, c := range to {
		c <- m.Retain()
	}
	m.Release()
}

// An iterator that lends.
func Lines(r io.Reader) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		br := readers.Get().(*bufio.Reader)
		br.Reset(r)
		defer readers.Put(br)
		for {
			l, err := br.ReadString('\n')
			if err == io.EOF {
				if l != "" {
					yield(l, nil)
				}
				return
			}
			if !yield(strings.TrimRight(l, "\n"), err) || err != nil {
				return
			}
		}
	}
}

// A generic pool with size classes.
type Slices[T any] struct{ classes [8]sync.Pool }

func (s *Slices[T]) Get(n int) []T {
	for i := range s.classes {
		if size := 16 << i; n <= size {
			if p, ok := s.classes[i].Get().(*[]T); ok {
				return (*p)[:n]
			}
			return make([]T, n, size)
		}
	}
	return make([]T, n)
}

func (s *Slices[T]) Put(b []T) {
	clear(b)
	for i := range s.classes {
		if cap(b) == 16<<i {
			b = b[:0]
			s.classes[i].Put(&b) //poolproof:ignore PV008 a header each time is what this pool costs
			return
		}
	}
}

func Median(s *Slices[int], in []int) int {
	tmp := s.Get(len(in))
	defer s.Put(tmp)
	copy(tmp, in)
	sort.Ints(tmp)
	return tmp[len(tmp)/2]
}

// Gzip writers with an error path that puts too.
var zips = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

func Compress(dst io.Writer, src []byte) (err error) {
	z := zips.Get().(*gzip.Writer)
	z.Reset(dst)
	defer func() {
		if cerr := z.Close(); err == nil {
			err = cerr
		}
		z.Reset(io.Discard)
		zips.Put(z)
	}()
	_, err = z.Write(src)
	return err
}

// Timers.
var timers sync.Pool

func acquireTimer(d time.Duration) *time.Timer {
	if v := timers.Get(); v != nil {
		t := v.(*time.Timer)
		t.Reset(d)
		return t
	}
	return time.NewTimer(d)
}

func releaseTimer(t *time.Timer) {
	if !t.Stop() {
		select {
		case <-t.C:
		default:
		}
	}
	timers.Put(t)
}

func Recv(c <-chan []byte, d time.Duration) ([]byte, error) {
	t := acquireTimer(d)
	defer releaseTimer(t)
	select {
	case b := <-c:
		return b, nil
	case <-t.C:
		return nil, errors.New("timeout")
	}
}

// A builder whose methods return it.
type Query struct {
	sql  []byte
	args []any
}

var queries = sync.Pool{New: func() any { return new(Query) }}

func Select(cols ...string) *Query {
	q := queries.Get().(*Query)
	q.sql = append(q.sql[:0], "SELECT "...)
	for i, c := range cols {
		if i > 0 {
			q.sql = append(q.sql, ", "...)
		}
		q.sql = append(q.sql, c...)
	}
	return q
}

func (q *Query) Where(cond string, args ...any) *Query {
	q.sql = append(append(q.sql, " WHERE "...), cond...)
	q.args = append(q.args, args...)
	return q
}

func (q *Query) Build() (string, []any) {
	sql, args := string(q.sql), q.args
	q.args = nil
	queries.Put(q)
	return sql, args
}

func ByName(name string) (string, []any) {
	return Select("id", "name").Where("name = ?", name).Build()
}

// A cache that replaces, and puts what it replaced.
type Cache struct {
	mu sync.Mutex
	m  map[string]*Message
}

func (c *Cache) Set(k string, m *Message) {
	c.mu.Lock()
	old := c.m[k]
	c.m[k] = m.Retain()
	c.mu.Unlock()
	if old != nil {
		old.Release()
	}
}

// Two buffers swapped.
func Filter(in []byte, passes []func(dst, src *bytes.Buffer)) string {
	a := buffers.Get().(*bytes.Buffer)
	b := buffers.Get().(*bytes.Buffer)
	defer func() {
		a.Reset()
		b.Reset()
		buffers.Put(a)
		buffers.Put(b)
	}()
	a.Write(in)
	for _, p := range passes {
		b.Reset()
		p(b, a)
		a, b = b, a
	}
	return a.String()
}

// A middleware that borrows a context.
type Ctx struct {
	w      http.ResponseWriter
	r      *http.Request
	params map[string]string
}

var ctxs = sync.Pool{New: func() any { return &Ctx{params: map[string]string{}} }}

type App struct{ h func(*Ctx) error }

func (a *App) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := ctxs.Get().(*Ctx)
	c.reset(w, r)
	if err := a.h(c); err != nil {
		http.Error(w, err.Error(), 500)
	}
	c.reset(nil, nil)
	ctxs.Put(c)
}

func (c *Ctx) reset(w http.ResponseWriter, r *http.Request) {
	c.w, c.r = w, r
	clear(c.params)
}

// Parallel parts, joined before they are put.
type part struct {
	sum int
	buf [512]byte
}

var parts = sync.Pool{New: func() any { return new(part) }}

func Total(data [][]byte) (n int) {
	var wg sync.WaitGroup
	list := make([]*part, len(data))
	for i, d := range data {
		p := parts.Get().(*part)
		p.sum = 0
		list[i] = p
		wg.Add(1)
		go func() {
			defer wg.Done()
			for k := copy(p.buf[:], d); k > 0; k-- {
				p.sum += int(p.buf[k-1])
			}
		}()
	}
	wg.Wait()
	for _, p := range list {
		n += p.sum
		parts.Put(p)
	}
	return n
}

// Optional ownership.
func Format(dst *bytes.Buffer, vals []int) string {
	own := dst == nil
	if own {
		dst = buffers.Get().(*bytes.Buffer)
		dst.Reset()
	}
	for _, v := range vals {
		dst.WriteString(strconv.Itoa(v))
	}
	s := dst.String()
	if own {
		buffers.Put(dst)
	}
	return s
}

// Retry with a body that is rewound.
type body struct {
	bytes.Reader
	raw []byte
}

var bodies = sync.Pool{New: func() any { return new(body) }}

func Post(c *http.Client, url string, data []byte) (*http.Response, error) {
	b := bodies.Get().(*body)
	b.raw = append(b.raw[:0], data...)
	defer bodies.Put(b)
	var last error
	for range 3 {
		b.Reset(b.raw)
		req, err := http.NewRequest("POST", url, io.NopCloser(bytes.NewReader(bytes.Clone(b.raw))))
		if err != nil {
			return nil, err
		}
		resp, err := c.Do(req)
		if err == nil {
			return resp, nil
		}
		last = err
	}
	return nil, last
}

// A free list in front of a pool.
type freeList struct {
	mu   sync.Mutex
	list []*part
}

func (f *freeList) get() *part {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n := len(f.list); n > 0 {
		p := f.list[n-1]
		f.list = f.list[:n-1]
		return p
	}
	return parts.Get().(*part)
}

func (f *freeList) put(p *part) {
	f.mu.Lock()
	if len(f.list) < 8 {
		f.list = append(f.list, p)
		f.mu.Unlock()
		return
	}
	f.mu.Unlock()
	parts.Put(p)
}

func (f *freeList) sum(d []byte) int {
	p := f.get()
	defer f.put(p)
	p.sum = 0
	for k := copy(p.buf[:], d); k > 0; k-- {
		p.sum += int(p.buf[k-1])
	}
	return p.sum
}
