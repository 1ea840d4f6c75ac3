package moved

import (
	"fmt"
	"io"
	"reflect"
	"sync/atomic"
	"unsafe"
)

type log struct{ lines []string }

func (b *log) print(list ...fmt.Stringer) {
	for _, s := range list {
		b.lines = append(b.lines, s.String())
	}
}

func (b *log) printf(format string, args ...any) {
	b.print(newNote(fmt.Sprintf(format, args...))) // want "PV006"
}

type fileName struct {
	n    int
	name string
}

func nameFile(w io.Writer, name string) *fileName {
	l := newLineWriter(w) // want "PV006"
	return &fileName{n: l.n, name: name}
}

type adder interface {
	plus(n int)
	total() int
}

type tally struct{ sum int }

func (t *tally) plus(n int) { t.sum += n }
func (t *tally) total() int { return t.sum }

func (n *note) plus(k int) { n.text = n.text[:k] }
func (n *note) total() int { return len(n.text) }

func length(s string) int {
	var a adder = newNote(s) // want "PV006"
	a.plus(0)
	return a.total()
}

func kind(src any) reflect.Kind { return reflect.ValueOf(src).Kind() }

func kindOf(s string) reflect.Kind {
	var p pair
	n := newNote(s) // want "PV006"
	p.left = n
	p.n = len(s)
	return kind(&p)
}

func lent(src []int, ch chan<- table) {
	r := rows.Get().(*[]any)
	defer rows.Put(r)
	for _, n := range src {
		t := table{rows: (*r)[:0]}
		t.rows = t.rows[:min(n, cap(t.rows))]
		t.n = len(t.rows)
		ch <- t // want "PV004"
		t.rows = nil
	}
}

func lengthOf(src *note) int {
	return len(copyNote(nil, src).text) // want "PV006"
}

func sizeOf(c config) int { return c.size + c.w.Size() }

func dialSize(w io.Writer) int {
	return sizeOf(config{size: 3, w: getWriter(w)}) // want "PV006"
}

func (q *queue) extendOnce(s string) bool {
	n := newNote(s)
	if atomic.LoadPointer(&q.tail) == nil {
		n.free()
		return false
	}
	return atomic.CompareAndSwapPointer(&q.tail, unsafe.Pointer(n), nil) // want "PV005"
}

func howMany() int {
	list := steps{newNote("a")} // want "PV006"
	return len(list)
}

func lentAsAny(src []int, ch chan<- any) {
	r := rows.Get().(*[]any)
	defer rows.Put(r)
	for _, n := range src {
		t := table{rows: (*r)[:0]}
		t.n = min(n, cap(t.rows))
		ch <- t // want "PV004"
	}
}
