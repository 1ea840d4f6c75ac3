// Package iters has iterators that live inside of what is pooled.
package iters

import (
	"errors"
	"sync"
)

var errBounds = errors.New("iters: bounds")

// Iterator goes over the keys of a table.
type Iterator struct {
	keys  [][]byte
	at    int
	err   error
	alloc *alloc
}

// alloc is one allocation for an iterator and what it needs.
type alloc struct {
	it      Iterator
	scratch []byte
	bounds  [2][]byte
}

var allocs = sync.Pool{New: func() any { return new(alloc) }}

// Open returns an iterator, which has to be closed once.
func Open(keys [][]byte, lower, upper []byte) (*Iterator, error) {
	a := allocs.Get().(*alloc)
	a.bounds = [2][]byte{lower, upper}
	a.it = Iterator{keys: keys, at: -1, alloc: a}
	if len(lower) > len(upper) {
		a.it = Iterator{}
		allocs.Put(a)
		return nil, errBounds
	}
	return &a.it, nil
}

func (i *Iterator) Next() bool {
	i.at++
	return i.at < len(i.keys)
}

// Key is valid until the next call of Next.
func (i *Iterator) Key() []byte {
	i.alloc.scratch = append(i.alloc.scratch[:0], i.keys[i.at]...)
	return i.alloc.scratch
}

func (i *Iterator) Error() error { return i.err }

// Close must be the last call, and there must be one.
func (i *Iterator) Close() error {
	err := i.err
	if a := i.alloc; a != nil {
		scratch := a.scratch
		*a = alloc{scratch: scratch[:0]}
		allocs.Put(a)
	}
	return err
}

// Fragment goes over the ranges of a block.
type Fragment struct {
	block []byte
	off   int
}

var fragments = sync.Pool{New: func() any { return new(Fragment) }}

// NewFragment returns an iterator over b.
func NewFragment(b []byte) (*Fragment, error) {
	if len(b) == 0 {
		return nil, errBounds
	}
	f := fragments.Get().(*Fragment)
	f.block, f.off = b, 0
	return f, nil
}

func (f *Fragment) Next() bool {
	f.off++
	return f.off < len(f.block)
}

// Close puts it.
func (f *Fragment) Close() error {
	*f = Fragment{}
	fragments.Put(f)
	return nil
}
