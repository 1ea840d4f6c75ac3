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
	large.Put(b) // want `PV021 foreign-put \(warning\): b was not taken from this pool`
}

func wrapped(f func([]byte)) {
	b := getSmall()
	defer putLarge(b) // want `b was not taken from this pool`
	f(*b)
}

var classes [4]sync.Pool

func nextClass() {
	b, _ := classes[0].Get().(*[]byte)
	classes[1].Put(b) // want `b was not taken from this pool`
}

type stage struct{ in, out sync.Pool }

func (s *stage) pass() {
	x := s.in.Get().(*node)
	s.out.Put(x) // want `x was not taken from this pool`
}

type node struct {
	row  row
	next *node
	all  []row
}

type row struct{ cells []string }

var rows = sync.Pool{New: func() any { return new(row) }}

func (n *node) part() {
	rows.Put(&n.row) // want `n.row was not taken from this pool`
}

func (n *node) element(i int) {
	rows.Put(&n.all[i]) // want `the object was not taken from this pool`
}

type sink struct{ n int }

func (s *sink) Write(p []byte) (int, error) {
	small.Put(&p) // want `p was not taken from this pool`
	return len(p), nil
}

type box struct{ b []byte }

var boxes = sync.Pool{New: func() any { return new(box) }}

func putChunk(b []byte) { boxes.Put(&box{b: b}) }

type other struct{ n int }

func (o *other) Write(p []byte) (int, error) {
	putChunk(p) // want `p was not taken from this pool`
	return len(p), nil
}

var table [4096]byte

func seed() {
	putChunk(table[:512]) // want `the object was not taken from this pool`
}
