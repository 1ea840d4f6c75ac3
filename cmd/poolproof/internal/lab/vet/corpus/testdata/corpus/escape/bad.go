// Package escape lets others keep objects that it puts.
package escape

import (
	"bytes"
	"container/list"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"example.org/corpus/lib/bufs"
	"example.org/corpus/lib/classes"
	"example.org/corpus/lib/gpool"
	"example.org/corpus/lib/journal"
)

type event struct {
	name string
	data []byte
	tags []string
}

var (
	buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	events  = sync.Pool{New: func() any { return new(event) }}
	slices  = sync.Pool{New: func() any { b := make([]byte, 0, 512); return &b }}

	lastSeen  *bytes.Buffer
	lastBytes []byte
	index     = map[string]*event{}
	shared    sync.Map
	current   atomic.Pointer[event]
)

func inGlobal(name string) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer buffers.Put(b)
	b.WriteString(name)
	lastSeen = b // want "PV004"
}

func bytesInGlobal(name string) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(name)
	lastBytes = b.Bytes() // want "PV004"
	buffers.Put(b)
}

type cache struct {
	mu    sync.Mutex
	last  []byte
	ev    *event
	all   []*event
	lines [][]byte
	byID  map[int]*event
}

func (c *cache) inField(name string) {
	b := bufs.Get()
	defer bufs.Put(b)
	b.WriteString(name)
	c.mu.Lock()
	c.last = b.Bytes() // want "PV004"
	c.mu.Unlock()
}

func (c *cache) objectInField(name string) {
	e := events.Get().(*event)
	defer events.Put(e)
	e.name = name
	c.ev = e // want "PV004"
}

func (c *cache) inMap(id int, name string) {
	e := events.Get().(*event)
	e.name = name
	c.byID[id] = e // want "PV004"
	events.Put(e)
}

func inGlobalMap(name string) {
	e := events.Get().(*event)
	defer events.Put(e)
	e.name = name
	index[name] = e // want "PV004"
}

func (c *cache) collected(names []string) {
	for _, n := range names {
		e := events.Get().(*event)
		e.name = n
		c.all = append(c.all, e) // want "PV004"
		events.Put(e)
	}
}

func (c *cache) bytesCollected(names []string) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	for _, n := range names {
		b.Reset()
		b.WriteString(n)
		c.lines = append(c.lines, b.Bytes()) // want "PV004"
	}
}

func sent(out chan<- *event, name string) {
	e := events.Get().(*event)
	defer events.Put(e)
	e.name = name
	out <- e // want "PV004"
}

func bytesSent(out chan<- []byte, name string) {
	b := bufs.Get()
	b.WriteString(name)
	out <- b.Bytes() // want "PV004"
	bufs.Put(b)
}

func structSent(out chan<- event, r io.Reader) error {
	b := classes.Get(512)
	defer classes.Put(b)
	n, err := r.Read(b)
	out <- event{data: b[:n]} // want "PV004"
	return err
}

func selected(out chan<- []byte, stop <-chan struct{}, name string) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer buffers.Put(b)
	b.WriteString(name)
	select {
	case out <- b.Bytes(): // want "PV004"
	case <-stop:
	}
}

func goroutine(w io.Writer, name string) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer buffers.Put(b)
	b.WriteString(name)
	go func() { // want "PV004"
		w.Write(b.Bytes())
	}()
}

func goroutineCall(w io.Writer, name string) {
	b := bufs.Get()
	b.WriteString(name)
	go w.Write(b.Bytes()) // want "PV004"
	bufs.Put(b)
}

func namedGoroutine(name string, done func(*event)) {
	e := events.Get().(*event)
	e.name = name
	go deliver(e, done) // want "PV004"
	events.Put(e)
}

func deliver(e *event, done func(*event)) { done(e) }

func timer(name string, print func(string)) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer buffers.Put(b)
	b.WriteString(name)
	time.AfterFunc(time.Second, func() { // want "PV004"
		print(b.String())
	})
}

func inSyncMap(name string) {
	e := events.Get().(*event)
	defer events.Put(e)
	e.name = name
	shared.Store(name, e) // want "PV004"
}

func inAtomic(name string) {
	e := events.Get().(*event)
	e.name = name
	current.Store(e) // want "PV004"
	events.Put(e)
}

func inList(l *list.List, name string) {
	e := events.Get().(*event)
	defer events.Put(e)
	e.name = name
	l.PushBack(e) // want "PV004"
}

func outParameter(dst *[]byte, name string) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer buffers.Put(b)
	b.WriteString(name)
	*dst = b.Bytes() // want "PV004"
}

type response struct{ body []byte }

func fillResponse(r *response, src io.Reader) error {
	p := slices.Get().(*[]byte)
	defer slices.Put(p)
	n, err := io.ReadFull(src, (*p)[:cap(*p)])
	r.body = (*p)[:n] // want "PV004"
	return err
}

func otherPackageKeeps(j *journal.Journal, name string) {
	b := bufs.Get()
	defer bufs.Put(b)
	b.WriteString(name)
	j.Keep(b) // want "PV004"
}

func otherPackageRemembers(name string) {
	b := bufs.Get()
	b.WriteString(name)
	journal.Remember(b.Bytes()) // want "PV004"
	bufs.Put(b)
}

func captured(name string) func() []byte {
	var out []byte
	fill := func() {
		b := bufs.Get()
		defer bufs.Put(b)
		b.WriteString(name)
		out = b.Bytes() // want "PV004"
	}
	fill()
	return func() []byte { return out }
}

func genericKeep[T any](p *gpool.Pool[T], all map[string]*T, key string) {
	x := p.Get()
	defer p.Put(x)
	all[key] = x // want "PV004"
}

func (e *event) keep() {
	b := bufs.GetBytes()
	defer bufs.PutBytes(b)
	*b = append(*b, e.name...)
	e.data = *b // want "PV004"
}

// To sleep is not to wait.
func halfJoined(parts []string, w io.Writer) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	for _, p := range parts {
		b.WriteString(p)
	}
	go w.Write(b.Bytes()) // want "PV004"
	time.Sleep(time.Millisecond)
	buffers.Put(b)
}

// The receiver is told to be done, but nobody waits until it is.
func told(in chan<- *event, stop chan<- struct{}, name string) {
	e := events.Get().(*event)
	e.name = name
	in <- e // want "PV004"
	close(stop)
	events.Put(e)
}

// A callback runs later and has the object.
type queue struct{ later []func() }

func (q *queue) schedule(name string, print func(string)) {
	b := bufs.Get()
	defer bufs.Put(b)
	b.WriteString(name)
	q.later = append(q.later, func() { print(b.String()) }) // want "PV004"
}
