package pools

import (
	"runtime"
	"sync"
	"testing"
	"time"
)

type point struct{ x, y int }

var number int

// The pool is generic, and has no New.
//
//want:exact read-after-put
func TestGenericPool(t *testing.T) {
	points := Pool[point]{Reset: func(p *point) { *p = point{} }}
	p := points.Get()
	p.x = 3
	points.Put(p)
	number = p.x
}

// The generic pool cleans the object again when it is put twice, which is a
// stale write too.
//
//want:exact double-put write-after-put
//want:fast double-put
func TestGenericPoolIsGivenAnObjectTwice(t *testing.T) {
	points := Pool[point]{Reset: func(p *point) { *p = point{} }}
	p := points.Get()
	points.Put(p)
	points.Put(p)
}

// Users know only an interface.
//
//want:exact read-after-put
func TestReleasedMessageIsAskedForItsLength(t *testing.T) {
	var box Mailbox
	m := box.Message("hello")
	m.Release()
	number = m.Len()
}

// Two references, two releases.
//
//want:exact double-put read-after-put
//want:fast double-put
func TestMessageIsReleasedTwice(t *testing.T) {
	var box Mailbox
	m := box.Message("hello")
	m.Release()
	m.Release()
}

// One of many pools in an array.
//
//want:exact write-after-put
//want:fast write-after-put
func TestClassOfBuffers(t *testing.T) {
	var classes Classes
	p := classes.Get(100)
	b := *p
	classes.Put(p)
	b[99] = 'x'
}

// A pool inside of a pooled object: the frame is stale, the session is not.
//
//want:exact write-after-put
//want:fast write-after-put
func TestPoolInsideOfAPooledObject(t *testing.T) {
	sessions := sync.Pool{New: func() any { return new(Session) }}
	s := sessions.Get().(*Session)
	f, _ := s.frames.Get().(*Frame)
	if f == nil {
		f = new(Frame)
	}
	s.frames.Put(f)
	f.size = 9
	sessions.Put(s)
}

// A pooled session is used through the pool inside of it.
//
//want:exact write-after-put read-after-put?
func TestSessionIsUsedAfterPut(t *testing.T) {
	sessions := sync.Pool{New: func() any { return new(Session) }}
	s := sessions.Get().(*Session)
	sessions.Put(s)
	s.n++
}

// New gets a part from another pool; the part is put with the whole still in use.
//
//want:exact read-after-put
func TestPartOfAnotherPoolIsPutEarly(t *testing.T) {
	type whole struct {
		part *point
		n    int
	}
	parts := sync.Pool{New: func() any { return new(point) }}
	wholes := sync.Pool{New: func() any { return &whole{part: parts.Get().(*point)} }}
	w := wholes.Get().(*whole)
	parts.Put(w.part)
	number = w.part.x
}

type handle struct {
	buf *[64]byte
	fd  int
}

// A finalizer puts what was put by hand. It runs in no test's goroutine.
//
//want:exact double-put
//want:fast double-put
//want:in *
func TestFinalizerPutsAgain(t *testing.T) {
	pool := &sync.Pool{New: func() any { return new([64]byte) }}
	done := make(chan bool)
	keep := pool.Get().(*[64]byte)
	func() {
		h := &handle{buf: keep}
		runtime.SetFinalizer(h, func(h *handle) {
			pool.Put(h.buf)
			close(done)
		})
		pool.Put(h.buf)
	}()
	for {
		runtime.GC()
		select {
		case <-done:
			runtime.KeepAlive(keep)
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}
