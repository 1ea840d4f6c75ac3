package everyday

import (
	"bytes"
	"io"
	"strconv"
	"sync"
)

// A number is short: what is appended to the pooled memory stays in it, and the
// pointer is put, not the slice.
func writeNumber(w io.Writer, n int64) error {
	p := slices.Get().(*[]byte)
	defer slices.Put(p) // fine "PV013" a number never outgrows 512 bytes
	_, err := w.Write(strconv.AppendInt((*p)[:0], n, 10))
	return err
}

func writeBool(w io.Writer, yes bool) error {
	p := slices.Get().(*[]byte)
	b := strconv.AppendBool((*p)[:0], yes)
	_, err := w.Write(b)
	slices.Put(p) // fine "PV013" a bool never outgrows 512 bytes
	return err
}

// Buffers in a map, and a later loop that puts them all.
func byName(names []string) int {
	open := make(map[string]*bytes.Buffer)
	for _, name := range names {
		b := buffers.Get().(*bytes.Buffer) // fine "PV005|PV006" the loop below puts it
		b.WriteString(name)
		open[name] = b
	}
	n := 0
	for _, b := range open {
		n += b.Len()
		b.Reset()
		buffers.Put(b)
	}
	return n
}

func byNameOnce(names []string) int {
	open := make(map[string]*bytes.Buffer)
	defer func() {
		for _, b := range open {
			buffers.Put(b)
		}
	}()
	n := 0
	for _, name := range names {
		b, ok := open[name]
		if !ok {
			b = buffers.Get().(*bytes.Buffer) // fine "PV005|PV006" the deferred loop puts it
			open[name] = b
		}
		m, _ := b.WriteString(name)
		n += m
	}
	return n
}

// A list of what is to be done at the end.
func cleanups(names []string) int {
	var last []func()
	defer func() {
		for _, f := range last {
			f()
		}
	}()
	n := 0
	for _, name := range names {
		b := buffers.Get().(*bytes.Buffer)
		last = append(last, func() { buffers.Put(b) }) // fine "PV004|PV001" called at the end
		b.WriteString(name)                            // fine "PV001" before the end
		n += b.Len()
	}
	return n
}

type request struct {
	cleanup []func()
	body    []byte
}

func (r *request) onDone(f func()) { r.cleanup = append(r.cleanup, f) }

func (r *request) render(name string) {
	b := buffers.Get().(*bytes.Buffer)
	r.onDone(func() { buffers.Put(b) })
	b.Reset()
	b.WriteString(name)
	r.body = b.Bytes() // fine "PV004|PV001" until the request is done
}

// A tree that recursion frees.
func freeTree(n *node) {
	if n == nil {
		return
	}
	for _, kid := range n.kids {
		freeTree(kid)
	}
	clear(n.kids)
	n.kids = n.kids[:0]
	n.next = nil
	nodes.Put(n) // fine "PV001|PV002|PV015" the children were put, each once
}

func freeChain(n *node) {
	if n.next != nil {
		freeChain(n.next)
		n.next = nil
	}
	nodes.Put(n) // fine "PV015" cleared
}

func build(depth int) *node {
	n := nodes.Get().(*node) // fine "PV005|PV006" the parent has it, or the caller
	n.val = depth
	for range depth {
		n.kids = append(n.kids, build(depth-1))
	}
	return n
}

func sumTree(depth int) int {
	n := build(depth)
	defer freeTree(n)
	return n.val + len(n.kids)
}

// A worker that puts itself.
type worker struct {
	jobs chan *job
	n    int
}

var workers = sync.Pool{New: func() any { return &worker{jobs: make(chan *job)} }}

func (w *worker) run() {
	for j := range w.jobs {
		if j == nil {
			break
		}
		w.n++
	}
	workers.Put(w)
}

func startWorker() *worker {
	w := workers.Get().(*worker)
	go w.run()
	return w // fine "PV001|PV003|PV004" it puts itself when it is told to end
}

func startDetached(done func(int)) {
	w := workers.Get().(*worker) // fine "PV005|PV006" the goroutine puts it
	go func() {
		defer workers.Put(w)
		done(w.n)
	}()
}

func sendToWorker(j *job) {
	w := workers.Get().(*worker) // fine "PV005|PV006" run puts it
	go w.run()
	w.jobs <- j // fine "PV001" it runs until it gets nil
	w.jobs <- nil
}

// A decoder whose result never is what it reads.
type lz struct {
	src, dst []byte
	at       int
}

func (d *lz) next() byte {
	c := d.src[d.at]
	d.at++
	return c
}

func (d *lz) step() {
	c := d.next()
	d.dst = append(d.dst, c)
}

func expand(dst, src []byte) ([]byte, error) {
	if len(src) < 4 {
		return nil, io.ErrUnexpectedEOF
	}
	n := int(src[0])
	if len(dst) < n {
		dst = make([]byte, n)
	}
	d := lz{src: src, dst: dst[:0], at: 4}
	for d.at < len(d.src) {
		d.step()
	}
	return d.dst, nil
}

func expandPooled(r io.Reader) ([]byte, error) {
	p := slices.Get().(*[]byte)
	defer slices.Put(p)
	n, err := r.Read(*p)
	if err != nil {
		return nil, err
	}
	return expand(nil, (*p)[:n]) // fine "PV003" expand copies out of src
}

// An object that is put to another pool on purpose: that one has no New and lives on
// what is put.
var (
	clean = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	used  sync.Pool
)

func pass() int {
	b := clean.Get().(*bytes.Buffer)
	b.WriteString("once")
	n := b.Len()
	used.Put(b) // fine "PV021" used holds what is to be cleaned
	return n
}

func cleanOne() {
	if b, ok := used.Get().(*bytes.Buffer); ok {
		b.Reset()
		clean.Put(b) // fine "PV021" back to where it came from
	}
}
