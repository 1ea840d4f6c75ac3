package a

import (
	"io"
	"sync"
)

type job struct {
	dst  io.Writer
	list []*int
}

var (
	jobs  = sync.Pool{New: func() any { return new(job) }}
	lists = sync.Pool{New: func() any { return new([]*int) }}
)

func field(w io.Writer) {
	j := jobs.Get().(*job)
	j.dst = w
	jobs.Put(j) // want `its field dst still refers`
}

func elements(all []*int) int {
	p := lists.Get().(*[]*int)
	*p = append((*p)[:0], all...)
	n := len(*p)
	*p = (*p)[:0]
	lists.Put(p) // want `the memory behind its slice still refers`
	return n
}
