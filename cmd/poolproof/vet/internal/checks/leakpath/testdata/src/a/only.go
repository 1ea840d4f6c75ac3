package a

import (
	"compress/gzip"
	"strings"
	"sync"
)

type decoder struct {
	*gzip.Reader
	pool *sync.Pool
	n    int
}

func (d *decoder) Close() {
	err := d.Reader.Reset(nil)
	if err != nil {
		d.pool.Put(d) // want `Close puts d only where Reset has failed, and loses it where all goes well; turn the condition round, or put it there too`
	}
}

func (d *decoder) CloseWell() {
	if err := d.Reader.Reset(nil); err == nil {
		d.pool.Put(d)
	}
}

func (d *decoder) Free() {
	if err := d.Reader.Close(); err != nil {
		d.pool.Put(d)
		return
	}
	d.n++ // it lives on
}

func (d *decoder) attempt() {
	if err := d.Reader.Close(); err != nil {
		d.pool.Put(d)
	}
}

// The caller is told.
func (d *decoder) CloseOrFail() error {
	err := d.Reader.Close()
	if err != nil {
		d.pool.Put(d)
	}
	return err
}

func releaseAfter(d *decoder, err error) {
	if err != nil {
		d.pool.Put(d)
	}
}

var sizes = []int{1, 2, 4, 8, 16}

var classes = make([]sync.Pool, len(sizes))

func getBytes(n int) []byte {
	i := 0
	for ; i < len(sizes)-1; i++ {
		if n <= sizes[i] {
			break
		}
	}
	return classes[i].Get().([]byte)[:n]
}

func putBytes(p []byte) {
	for i, n := range sizes {
		if len(p) == n {
			classes[i].Put(p) // want `putBytes puts p only if its length is one of a few, and getBytes returns it cut to any length: the others are lost; ask for the capacity`
			return
		}
	}
}

func putByCapacity(p []byte) {
	for i, n := range sizes {
		if cap(p) == n {
			classes[i].Put(p)
			return
		}
	}
}

func putAny(p []byte) {
	if len(p) == 1 {
		classes[0].Put(p)
		return
	}
	classes[1].Put(p)
}

// The getter cuts nothing.
var lists sync.Pool

func getNames() []string { return lists.Get().([]string)[:8] }

func putNames(l []string) {
	if len(l) == 8 {
		lists.Put(l)
	}
}

func names() string {
	l := getNames()
	defer putNames(l)
	return strings.Join(l, ",")
}
