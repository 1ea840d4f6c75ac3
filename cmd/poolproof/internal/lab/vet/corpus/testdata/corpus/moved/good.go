package moved

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"
)

type board struct{ all []fmt.Stringer }

func (b *board) pin(list ...fmt.Stringer) {
	for _, s := range list {
		if s != nil {
			b.all = append(b.all, s)
		}
	}
}

func (b *board) pinf(format string, args ...any) {
	b.pin(newNote(fmt.Sprintf(format, args...))) // fine "PV006" the board has it
}

func (b *board) pinTwo(s, t string) {
	b.pinAll([]fmt.Stringer{newNote(s), newNote(t)}) // fine "PV006" the board has both
}

func (b *board) pinAll(list []fmt.Stringer) { b.all = append(b.all, list...) }

func (b *board) clear() {
	for _, s := range b.all {
		if n, ok := s.(*note); ok {
			n.free()
		}
	}
	b.all = b.all[:0]
}

type fileWriter struct {
	lineWriter
	name string
}

func openFile(w io.Writer, name string) *fileWriter {
	return &fileWriter{lineWriter: *newLineWriter(w), name: name} // fine "PV006" the copy is closed
}

func (f *fileWriter) Close() error { return f.lineWriter.Close() }

type starter interface {
	start()
	add(n int)
}

type worker[T any] struct {
	jobs chan T
	home *shop[T]
	sum  int
}

type shop[T any] struct{ idle sync.Pool }

func (w *worker[T]) add(n int) { w.sum += n }

func (w *worker[T]) start() {
	go func() {
		defer w.home.idle.Put(w)
		for range w.jobs {
			w.sum++
		}
	}()
}

func (s *shop[T]) hire() (starter, error) {
	w, ok := s.idle.Get().(starter)
	if !ok {
		return nil, errors.New("no worker is idle")
	}
	w.start()
	return w, nil
}

func (s *shop[T]) do(n int) error {
	w, err := s.hire() // fine "PV006" it runs, and puts itself
	if err == nil {
		w.add(n)
	}
	return err
}

type pair struct {
	left *note
	n    int
}

func assign(dst, src any) error {
	to := reflect.ValueOf(dst)
	if to.Kind() != reflect.Pointer {
		return errors.New("not a pointer")
	}
	from := reflect.ValueOf(src)
	if from.Kind() == reflect.Pointer {
		from = from.Elem()
	}
	to.Elem().Set(from)
	return nil
}

func fillPair(dst any, s string) error {
	var p pair
	n := newNote(s) // fine "PV006" the caller has it in the pair
	p.left = n
	p.n = len(s)
	return assign(dst, &p)
}

func counts(src []int, ch chan<- table) {
	r := rows.Get().(*[]any)
	defer rows.Put(r)
	for _, n := range src {
		t := table{rows: (*r)[:0]}
		t.rows = t.rows[:min(n, cap(t.rows))]
		t.n = len(t.rows)
		t.rows = nil
		ch <- t // fine "PV004" without the rows
	}
}

func (n *note) set(src *note) { copyNote(n, src) } // fine "PV006" it is given one

type wall struct{ one note }

func (w *wall) set(src *note) { copyNote(&w.one, src) } // fine "PV006" it is given one

type conn struct {
	w    *bufio.Writer
	size int
	done chan struct{}
}

func newConn(c config) *conn {
	k := &conn{w: c.w, size: c.size, done: make(chan struct{})}
	go k.watch()
	return k
}

func (k *conn) watch() {
	<-k.done
	writers.Put(k.w)
}

func dial(w io.Writer) (*conn, error) {
	if w == nil {
		return nil, errors.New("no writer")
	}
	return newConn(config{size: 3, w: getWriter(w)}), nil // fine "PV006" the connection has it
}

type queue struct{ tail unsafe.Pointer }

func (q *queue) extend(s string) bool {
	for {
		if atomic.LoadPointer(&q.tail) != nil {
			return false
		}
		n := notes.Get().(*note)
		n.text = append(n.text[:0], s...)
		if atomic.CompareAndSwapPointer(&q.tail, nil, unsafe.Pointer(n)) {
			return true // fine "PV005" the queue has it
		}
		notes.Put(n)
	}
}

type action interface{ perform(w io.Writer) error }

type machine interface{ do(a action) error }

type steps []action

func (s steps) perform(w io.Writer) error {
	for _, a := range s {
		if err := a.perform(w); err != nil {
			return err
		}
	}
	return nil
}

func inOrder(list ...action) action { return steps(list) }

func (n *note) perform(w io.Writer) error {
	_, err := w.Write(n.text)
	n.free()
	return err
}

func twoNotes(m machine) error {
	return m.do(inOrder(newNote("a"), newNote("b"))) // fine "PV006" each puts itself when it is performed
}

func countsAsAny(src []int, ch chan<- any) {
	r := rows.Get().(*[]any)
	defer rows.Put(r)
	for _, n := range src {
		t := table{rows: (*r)[:0]}
		t.n = min(n, cap(t.rows))
		t.rows = nil
		ch <- t // fine "PV004" without the rows
	}
}
