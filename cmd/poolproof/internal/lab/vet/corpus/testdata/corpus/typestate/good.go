package typestate

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"sync"
	"sync/atomic"
)

// file forgets its buffer when it is closed.
type file struct {
	name string
	buf  *bytes.Buffer
	out  io.Writer
	err  error
}

func newFile(name string, out io.Writer) *file {
	return &file{name: name, buf: getBuffer(), out: out}
}

var errClosed = errors.New("closed")

func (f *file) Write(p []byte) (int, error) {
	if f.buf == nil {
		return 0, errClosed
	}
	return f.buf.Write(p)
}

func (f *file) Close() error {
	if f.buf == nil {
		return errClosed
	}
	_, f.err = f.buf.WriteTo(f.out)
	putBuffer(f.buf)
	f.buf = nil // fine "PV015" forgotten
	return f.err
}

func (f *file) reopen() { f.buf = getBuffer() }

func fileTwice(out io.Writer, p []byte) error {
	f := newFile("a", out)
	defer f.Close() // fine "PV002" the second Close does nothing
	if _, err := f.Write(p); err != nil {
		return err
	}
	return f.Close()
}

func fileAfter(out io.Writer, p []byte) (string, error) {
	f := newFile("b", out)
	f.Close()
	_, err := f.Write(p) // fine "PV001" the field is nil and tested
	return f.name, err
}

func fileAgain(out io.Writer, p []byte) error {
	f := newFile("c", out)
	f.Close()
	f.reopen()
	if _, err := f.Write(p); err != nil { // fine "PV001" it has a new buffer
		return err
	}
	return f.Close() // fine "PV002" another buffer
}

func filesOfEach(names []string, out io.Writer) {
	var all []*file
	for _, n := range names {
		all = append(all, newFile(n, out))
	}
	for _, f := range all {
		f.Close() // fine "PV001|PV002" another one each time
	}
}

// gate closes once, by a flag.
type gate struct {
	buf    *bytes.Buffer
	closed bool
	name   string
}

func openGate() *gate { return &gate{buf: getBuffer()} }

func (g *gate) Close() error {
	if g.closed {
		return nil
	}
	g.closed = true
	putBuffer(g.buf) // fine "PV002|PV015" guarded by the flag
	return nil
}

func gateTwice(p []byte) error {
	g := openGate()
	defer g.Close() // fine "PV002" guarded
	g.buf.Write(p)
	return g.Close()
}

// once closes once, by sync.Once.
type once struct {
	buf  *bytes.Buffer
	stop sync.Once
}

func (o *once) Close() error {
	o.stop.Do(func() { putBuffer(o.buf) }) // fine "PV002|PV015" guarded by the Once
	return nil
}

func onceTwice(p []byte) error {
	o := &once{buf: getBuffer()}
	defer o.Close() // fine "PV002" guarded
	o.buf.Write(p)
	return o.Close()
}

// flag closes once, by an atomic.
type flag struct {
	buf  *bytes.Buffer
	done atomic.Bool
}

func (f *flag) Close() {
	if f.done.CompareAndSwap(false, true) {
		putBuffer(f.buf) // fine "PV002|PV015" guarded by the atomic
	}
}

func flagTwice(p []byte) {
	f := &flag{buf: getBuffer()}
	f.buf.Write(p)
	f.Close()
	f.Close() // fine "PV002" guarded
}

func flushOrFail(out io.Writer, p []byte) error {
	c := newConn("g", out)
	if _, err := c.Write(p); err != nil {
		c.Close()
		return err
	}
	return c.Close() // fine "PV002" on another path
}

func nameAfterClose(out io.Writer) string {
	c := newConn("h", out)
	c.Close()
	return c.name // fine "PV001" not what was put
}

func copyThenClose(out io.Writer, p []byte) string {
	c := newConn("i", out)
	defer c.Close()
	c.Write(p)
	return c.buf.String() // fine "PV003" a copy
}

func twoConns(out io.Writer) error {
	a, b := newConn("j", out), newConn("k", out)
	return errors.Join(a.Close(), b.Close()) // fine "PV002" two of them
}

// page puts one buffer before it takes the next.
type page struct {
	buf  *bytes.Buffer
	mu   sync.Mutex
	next *page
}

func (p *page) turn() {
	if p.buf != nil {
		putBuffer(p.buf)
	}
	p.buf = getBuffer() // fine "PV005|PV006|PV015" the old one was put
}

func (p *page) take() *bytes.Buffer {
	p.mu.Lock()
	defer p.mu.Unlock()
	b := p.buf
	p.buf = nil
	return b
}

func (p *page) release() {
	if b := p.take(); b != nil {
		putBuffer(b) // fine "PV002|PV015" taken out under the lock
	}
}

func (p *page) releaseTwice() {
	p.release()
	p.release() // fine "PV002" the field is nil by then
}

// buffer takes one when it is needed.
func (p *page) buffer() *bytes.Buffer {
	if p.buf == nil {
		p.buf = getBuffer()
	}
	return p.buf
}

func (p *page) afterRelease(s string) {
	p.release()
	p.buffer().WriteString(s) // fine "PV001" a new one
	p.release()
}

// node is pooled itself, and its buffer apart.
type node struct {
	buf  *bytes.Buffer
	kids []*node
}

var nodes = sync.Pool{New: func() any { return new(node) }}

func (n *node) free() {
	for _, k := range n.kids {
		k.free()
	}
	putBuffer(n.buf)
	*n = node{kids: n.kids[:0]} // fine "PV001|PV015" the whole node is cleared
	nodes.Put(n)
}

func grow() *node {
	n := nodes.Get().(*node)
	n.buf = getBuffer() // fine "PV006" free puts it
	return n
}

// scan is used by one goroutine, which the closer waits for.
type scan struct {
	r    *bufio.Reader
	done chan struct{}
}

func startScan(src io.Reader, each func([]byte)) *scan {
	s := &scan{r: readers.Get().(*bufio.Reader), done: make(chan struct{})}
	s.r.Reset(src)
	go func() {
		defer close(s.done)
		for {
			l, err := s.r.ReadBytes('\n')
			if err != nil {
				return
			}
			each(l)
		}
	}()
	return s
}

func (s *scan) Close() {
	<-s.done
	readers.Put(s.r) // fine "PV004" the goroutine has ended
	s.r = nil
}

// resets on the way: owned, put, owned.
func (r *report) twoParts(a, b []string) (string, string) {
	r.begin()
	for _, s := range a {
		r.add(s)
	}
	first := r.end()
	r.begin()
	for _, s := range b {
		r.add(s) // fine "PV001" begun again
	}
	return first, r.end() // fine "PV002" another buffer
}

func (s *state) steps(ps [][]byte) (n int) {
	for _, p := range ps {
		s.scratch = getBuffer()
		s.scratch.Write(p)
		n += s.scratch.Len()
		putBuffer(s.scratch)
		s.scratch = nil // fine "PV001|PV002|PV015" a new one each time
	}
	return n
}

func oneSide(p *pipe, read bool) error {
	if read {
		return p.CloseRead()
	}
	return p.CloseWrite() // fine "PV002" one of them
}
