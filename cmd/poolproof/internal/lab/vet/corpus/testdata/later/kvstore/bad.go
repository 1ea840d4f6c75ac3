// Package kvstore reads and writes blocks.
package kvstore

import (
	"bytes"
	"errors"
	"hash"
	"hash/crc32"
	"io"
	"sync"
)

var sums = sync.Pool{New: func() any { return crc32.NewIEEE() }}

func Sum(p []byte) uint32 {
	h := sums.Get().(hash.Hash32)
	h.Reset() // want "PV006"
	h.Write(p)
	return h.Sum32()
}

type block struct {
	data  []byte
	dirty bool
	next  *block
}

var blocks = sync.Pool{New: func() any { return &block{data: make([]byte, 4096)} }}

type file struct {
	r     io.ReaderAt
	cur   *block
	cache map[int64]*block
}

func (f *file) load(off int64) error {
	b := blocks.Get().(*block)
	if _, err := f.r.ReadAt(b.data, off); err != nil && !errors.Is(err, io.EOF) {
		return err // want "PV005"
	}
	if f.cur != nil {
		blocks.Put(f.cur)
	}
	f.cur = b
	return nil
}

func (f *file) drop(off int64) {
	if b, ok := f.cache[off]; ok {
		blocks.Put(b)
	}
}

func (f *file) find(off int64, key []byte) ([]byte, error) {
	b := blocks.Get().(*block)
	defer blocks.Put(b)
	_, err := f.r.ReadAt(b.data, off)
	if err != nil {
		return nil, err
	}
	i := bytes.Index(b.data, key)
	if i < 0 {
		return nil, nil
	}
	_, rest, ok := bytes.Cut(b.data[i:], []byte{0})
	if !ok {
		return nil, io.ErrUnexpectedEOF
	}
	return rest, nil // want "PV003"
}

// chain reads blocks into a list, and puts them when it is done.
func (f *file) chain(offs []int64) (n int, err error) {
	var head *block
	for _, o := range offs {
		b := blocks.Get().(*block)
		if _, err := f.r.ReadAt(b.data, o); err != nil {
			return 0, err // want "PV005"
		}
		b.next = head
		head = b
	}
	for b := head; b != nil; b = b.next { // want "PV001"
		n += len(b.data)
		blocks.Put(b)
	}
	return n, nil
}
