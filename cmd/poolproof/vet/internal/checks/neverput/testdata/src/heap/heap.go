package heap

import (
	"container/heap"
	"sync"
)

type seg struct {
	n    int
	data []byte
}

type segs []seg

func (s segs) Len() int           { return len(s) }
func (s segs) Less(i, j int) bool { return s[i].n < s[j].n }
func (s segs) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s *segs) Push(x any)        { *s = append(*s, x.(seg)) }
func (s *segs) Pop() any          { o := *s; x := o[len(o)-1]; *s = o[:len(o)-1]; return x }

var bufs = sync.Pool{New: func() any { return make([]byte, 1500) }}

func get() []byte  { return bufs.Get().([]byte) }
func put(b []byte) { bufs.Put(b) }

func good(h *segs, s seg) {
	c := get()[:len(s.data)]
	copy(c, s.data)
	s.data = c
	heap.Push(h, s)
}
