package a

import (
	"bufs"
	"bytes"
	"io"
	"sync"
	"unsafe"
)

type owner struct {
	buf *bytes.Buffer
	out io.Writer
	n   int
}

func (o *owner) Close() { bufs.Put(o.buf) }

func (o *owner) write(p []byte) { o.buf.Write(p) }

func (o *owner) open() { o.buf = bufs.Get() }

func (o *owner) count() int { return o.n }

func (o *owner) maybe(p []byte) {
	if o.n > 0 {
		o.buf.Write(p)
	}
}

func writeAfterClose(o *owner, p []byte) {
	o.Close()
	o.write(p) // want `the object in o is used by write after Close \(line 32\) put it in its pool`
}

func (o *owner) last() int {
	view := o.buf.Bytes()
	o.Close()
	return len(view) + int(view[0]) // want `o\.buf is read after Close \(line 38\) put it in its pool`
}

func countAfterClose(o *owner, p []byte) int {
	o.Close()
	o.maybe(p)
	return o.count()
}

func openAfterClose(o *owner, p []byte) {
	o.Close()
	o.open()
	o.write(p)
}

func another(o, p *owner) {
	o.Close()
	p.write(nil)
}

// The receiver puts what it gets.
type queue struct{ in chan *bytes.Buffer }

func (q *queue) run() {
	for b := range q.in {
		b.Reset()
		bufs.Put(b)
	}
}

func (q *queue) sendAndRead() int {
	b := bufs.Get()
	q.in <- b
	return b.Len() // want `b is used by Len after line 71 handed it to code that puts it`
}

func (q *queue) sendLast() int {
	b := bufs.Get()
	n := b.Len()
	q.in <- b
	return n
}

func (q *queue) trySend(p []byte) int {
	b := bufs.Get()
	b.Write(p)
	select {
	case q.in <- b:
		return 0
	default:
	}
	n := b.Len()
	bufs.Put(b)
	return n
}

// The receiver of this one only looks.
type looks struct{ in chan *bytes.Buffer }

func (l *looks) run(seen func(int)) {
	for b := range l.in {
		seen(b.Len())
	}
}

func (l *looks) sendAndRead() int {
	b := bufs.Get()
	defer bufs.Put(b)
	l.in <- b
	return b.Len()
}

func started(w io.Writer) int {
	b := bufs.Get()
	go func() {
		b.Reset()
		bufs.Put(b)
	}()
	return b.Len() // want `b is used by Len after line 113 handed it to code that puts it`
}

func startedWaiting(done chan struct{}) int {
	b := bufs.Get()
	go func() {
		<-done
		bufs.Put(b)
	}()
	defer close(done)
	return b.Len()
}

func cast(w io.Writer) string {
	b := bufs.Get()
	raw := b.Bytes()
	s := *(*string)(unsafe.Pointer(&raw))
	bufs.Put(b)
	return s[:2] // want `b is returned after Put \(line 134\) put it in the pool bufs\.pool`
}

type names struct {
	list []string
	n    int
}

var allNames = sync.Pool{New: func() any { return new(names) }}

func structCopy() []string {
	x := allNames.Get().(*names)
	y := *x
	allNames.Put(x)
	return y.list // want `memory of x is returned after line 148 put it in the pool allNames`
}

func numberOfCopy() int {
	x := allNames.Get().(*names)
	y := *x
	allNames.Put(x)
	return y.n
}

func detachedWhole(use func([]byte)) {
	b := bufs.Get()
	p := b.Bytes()
	*b = bytes.Buffer{}
	bufs.Put(b)
	use(p)
}
