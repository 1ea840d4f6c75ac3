// Package handover has right code that looks wrong: what is taken changes its
// owner, or is counted, or goes back by a way that is not written beside it. Each
// has the shape of a known program, which its comment names.
package handover

import (
	"bufio"
	"bytes"
	"io"
	"sync"
	"sync/atomic"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuffer() *bytes.Buffer {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func putBuffer(b *bytes.Buffer) { buffers.Put(b) }

var readers = sync.Pool{New: func() any { return bufio.NewReader(nil) }}

func getReader(r io.Reader) *bufio.Reader {
	br := readers.Get().(*bufio.Reader)
	br.Reset(r)
	return br
}

func putReader(br *bufio.Reader) {
	br.Reset(nil)
	readers.Put(br)
}

var writers = sync.Pool{New: func() any { return bufio.NewWriter(nil) }}

func getWriter(w io.Writer) *bufio.Writer {
	bw := writers.Get().(*bufio.Writer)
	bw.Reset(w)
	return bw
}

func putWriter(bw *bufio.Writer) {
	bw.Reset(nil)
	writers.Put(bw)
}

// counted is memory that several share.
type counted struct {
	refs *atomic.Int32
	data *[]byte
	view []byte
}

var (
	blocks  = sync.Pool{New: func() any { b := make([]byte, 0, 4096); return &b }}
	holders = sync.Pool{New: func() any { return new(counted) }}
	counts  = sync.Pool{New: func() any { return new(atomic.Int32) }}
)

func newCounted(p []byte) *counted {
	c := holders.Get().(*counted)
	c.data = blocks.Get().(*[]byte)
	*c.data = append((*c.data)[:0], p...)
	c.view = *c.data
	c.refs = counts.Get().(*atomic.Int32)
	c.refs.Store(1)
	return c
}

// element is one packet with its memory, which two pools own.
type element struct {
	buffer *[1500]byte
	packet []byte
	key    *key
}

type key struct{ secret []byte }

type device struct {
	buffers  sync.Pool
	elements sync.Pool
	staged   chan *element
	keys     func([]byte) *key
}

func newDevice(n int, keys func([]byte) *key) *device {
	d := &device{staged: make(chan *element, n), keys: keys}
	d.buffers.New = func() any { return new([1500]byte) }
	d.elements.New = func() any { return new(element) }
	return d
}

func (d *device) newElement() *element {
	e := d.elements.Get().(*element)
	e.buffer = d.buffers.Get().(*[1500]byte)
	return e
}

func (d *device) putElement(e *element) {
	e.packet, e.key = nil, nil
	d.elements.Put(e)
}

func (d *device) putBuffer(b *[1500]byte) { d.buffers.Put(b) }

// group is what errgroup is.
type group struct {
	wg  sync.WaitGroup
	one sync.Once
	err error
}

func (g *group) Go(f func() error) {
	g.wg.Add(1)
	go func() {
		defer g.wg.Done()
		if err := f(); err != nil {
			g.one.Do(func() { g.err = err })
		}
	}()
}

func (g *group) Wait() error {
	g.wg.Wait()
	return g.err
}

// queue takes messages to disk. Its Put copies, and has nothing to do with a pool.
type queue interface {
	Put(p []byte) error
	Depth() int64
}

// chunk is one part of a body that arrives in pieces.
type chunk [2048]byte

var chunks = sync.Pool{New: func() any { return new(chunk) }}

type body struct {
	parts      []*chunk
	r, w, size int
}

// stream may be taken over by whoever wants to speak another protocol.
type stream struct {
	rwc   io.ReadWriteCloser
	br    *bufio.Reader
	bw    *bufio.Writer
	taken bool
}

// connection closes once, whoever does it.
type connection struct {
	buf    *bytes.Buffer
	closed atomic.Bool
	home   *sync.Pool
}

// resettable is a pointer to T that can be made empty.
type resettable[T any] interface {
	*T
	Reset()
}

// typed is a pool of T.
type typed[T any, P resettable[T]] struct{ pool sync.Pool }

func (t *typed[T, P]) get() P {
	if p, ok := t.pool.Get().(P); ok {
		return p
	}
	return P(new(T))
}

func (t *typed[T, P]) put(p P) {
	p.Reset()
	t.pool.Put(p)
}

func (t *typed[T, P]) with(f func(P) error) error {
	p := t.get()
	defer t.put(p)
	return f(p)
}

var texts typed[bytes.Buffer, *bytes.Buffer]

// node is a link of a list that is pooled one by one.
type node struct {
	next *node
	keys []int
}

var nodes = sync.Pool{New: func() any { return new(node) }}

// arena gives out objects that all go at once.
type arena struct {
	nodes []node
	used  int
}

var arenas = sync.Pool{New: func() any { return &arena{nodes: make([]node, 64)} }}

func (a *arena) node() *node {
	if a.used == len(a.nodes) {
		return new(node)
	}
	a.used++
	return &a.nodes[a.used-1]
}

func (a *arena) free() {
	clear(a.nodes[:a.used])
	a.used = 0
	arenas.Put(a)
}
