// Package retainedrefs puts objects that hold on to their users' memory.
package retainedrefs

import (
	"io"
	"sync"
)

type request struct {
	id   int
	body io.Reader
	tags []*tag
}

type tag struct{ text string }

var (
	requests = sync.Pool{New: func() any { return new(request) }}
	tagLists = sync.Pool{New: func() any { s := make([]*tag, 0, 8); return &s }}
)

func pointerField(id int, body io.Reader, do func(int, io.Reader)) {
	r := requests.Get().(*request)
	r.id, r.body = id, body
	do(r.id, r.body)
	requests.Put(r) // want "PV017"
}

func sliceOfPointers(all []*tag, use func([]*tag)) {
	p := tagLists.Get().(*[]*tag)
	*p = append((*p)[:0], all...)
	use(*p)
	*p = (*p)[:0]
	tagLists.Put(p) // want "PV017"
}

func sliceField(all []*tag) int {
	r := requests.Get().(*request)
	r.tags = append(r.tags[:0], all...)
	n := len(r.tags)
	r.tags = r.tags[:0]
	requests.Put(r) // want "PV017"
	return n
}
