package a

import "sync"

var (
	small = sync.Pool{New: func() any { b := make([]byte, 512); return &b }}
	large = sync.Pool{New: func() any { b := make([]byte, 1<<16); return &b }}
)

func getSmall() *[]byte  { return small.Get().(*[]byte) }
func putLarge(b *[]byte) { large.Put(b) }

func direct() {
	b := small.Get().(*[]byte)
	large.Put(b) // want `PV021 foreign-put: b does not belong into the pool that it is put into: it was got from another pool`
}

func wrapped(f func([]byte)) {
	b := getSmall()
	defer putLarge(b) // want `got from another pool`
	f(*b)
}

var classes [4]sync.Pool

func nextClass() {
	b, _ := classes[0].Get().(*[]byte)
	classes[1].Put(b) // want `got from another pool`
}

type stage struct{ in, out sync.Pool }

func (s *stage) pass() {
	x := s.in.Get().(*node)
	s.out.Put(x) // want `got from another pool`
}

type node struct {
	row  row
	next *node
	all  []row
}

type row struct{ cells []string }

var rows = sync.Pool{New: func() any { return new(row) }}

func (n *node) part() {
	rows.Put(&n.row) // want `it is the field row of a struct that goes on to exist`
}

func (n *node) element(i int) {
	rows.Put(&n.all[i]) // want `it is an element of what goes on to exist`
}

type sink struct{ n int }

func (s *sink) Write(p []byte) (int, error) {
	small.Put(&p) // want `Write must not keep what it is given`
	return len(p), nil
}

type box struct{ b []byte }

var boxes = sync.Pool{New: func() any { return new(box) }}

func putChunk(b []byte) { boxes.Put(&box{b: b}) }

type other struct{ n int }

func (o *other) Write(p []byte) (int, error) {
	putChunk(p) // want `Write must not keep what it is given`
	return len(p), nil
}

var table [4096]byte

func seed() {
	putChunk(table[:512]) // want `it is a piece of an array that goes on to exist`
}
