package a

import (
	"bytes"
	"io"
	"sync"
)

var pool = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func afterGet(v string) string {
	b := pool.Get().(*bytes.Buffer)
	defer pool.Put(b)
	b.Reset()
	io.WriteString(b, v)
	return b.String()
}

func beforePut(v string) string {
	b := pool.Get().(*bytes.Buffer)
	defer func() {
		b.Truncate(0)
		pool.Put(b)
	}()
	io.WriteString(b, v)
	return b.String()
}

func byHelper(v string) string {
	b := pool.Get().(*bytes.Buffer)
	defer release(b)
	io.WriteString(b, v)
	pool.Put(nil)
	return b.String()
}

func release(b *bytes.Buffer) {
	b.Reset()
	pool.Put(b)
}

// Getter and putter: the one that puts resets.
var wrapped = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func get() *bytes.Buffer  { return wrapped.Get().(*bytes.Buffer) }
func put(b *bytes.Buffer) { b.Reset(); wrapped.Put(b) }

// The callers, of another package, may reset.
var exported = sync.Pool{New: func() any { return new(bytes.Reader) }}

func Get() *bytes.Reader  { return exported.Get().(*bytes.Reader) }
func Put(b *bytes.Reader) { exported.Put(b) }

// Overwritten from its start.
var blocks = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

func read(r io.Reader) {
	p := blocks.Get().(*[]byte)
	defer blocks.Put(p)
	r.Read(*p)
}

var ints = sync.Pool{New: func() any { return new([]int) }}

func fromZero(n int) {
	p := ints.Get().(*[]int)
	b := (*p)[:0]
	b = append(b, n)
	*p = b
	ints.Put(p)
}

var sets = sync.Pool{New: func() any { return map[int]bool{} }}

func cleared() {
	m := sets.Get().(map[int]bool)
	m[1] = true
	clear(m)
	sets.Put(m)
}

// A struct that is set as a whole.
type state struct{ b bytes.Buffer }

func (s *state) Reset() {}

var states = sync.Pool{New: func() any { return new(state) }}

func whole() {
	s := states.Get().(*state)
	*s = state{}
	states.Put(s)
}

// No state that could be left.
type point struct{ x, y int }

var points = sync.Pool{New: func() any { return new(point) }}

func plain() { points.Put(points.Get().(*point)) }

// Nothing comes back.
var oneWay = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func lost() { io.WriteString(oneWay.Get().(*bytes.Buffer), "lost") }

func always(name string, root bool) {
	f := forms.Get().(*form)
	f.name, f.admin = name, false
	if root {
		f.admin = true
	}
	forms.Put(f)
}

func zeroed(name string, root bool) {
	f := forms.Get().(*form)
	f.name = name
	if root {
		f.admin = true
	}
	*f = form{}
	forms.Put(f)
}

func filled(root bool, fill func(*form)) {
	f := forms.Get().(*form)
	fill(f)
	if root {
		f.admin = true
	}
	forms.Put(f)
}

func clearedAtEnd(name string, root bool, check func(string, bool)) {
	f := forms.Get().(*form)
	f.name = name
	check(f.name, f.admin)
	if root {
		f.admin = true
	}
	check(f.name, f.admin)
	f.admin = false
	forms.Put(f)
}

func setByOther(name string, root bool, check func(string, bool)) {
	f := forms.Get().(*form)
	f.name = name
	if root {
		f.admin = true
	}
	check(f.name, f.admin)
	release2(f)
}

func release2(f *form) { *f = form{}; forms.Put(f) }
