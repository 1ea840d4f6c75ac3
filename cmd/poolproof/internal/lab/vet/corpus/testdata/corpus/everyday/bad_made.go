package everyday

import (
	"bytes"
	"sync"
)

type bare struct{ pools []sync.Pool }

func newBare(n int) *bare { return &bare{pools: make([]sync.Pool, n)} }

func (b *bare) get(i int) *bytes.Buffer {
	return b.pools[i].Get().(*bytes.Buffer) // want "PV018"
}

func bareList(n int) *bytes.Buffer {
	list := make([]sync.Pool, n)
	return list[0].Get().(*bytes.Buffer) // want "PV018"
}

type bareShard struct{ pool sync.Pool }

func newBareShards(n int) []*bareShard {
	list := make([]*bareShard, n)
	for i := range list {
		list[i] = &bareShard{}
	}
	return list
}

func (s *bareShard) get() *bytes.Buffer {
	return s.pool.Get().(*bytes.Buffer) // want "PV018"
}

func barePool() *sync.Pool { return new(sync.Pool) }

func emptyPool() *sync.Pool { return &sync.Pool{} }

var fromLiteral = emptyPool()

func bareFromLiteral() *bytes.Buffer {
	return fromLiteral.Get().(*bytes.Buffer) // want "PV018"
}

var fromNew = barePool()

func bareFromNew() *bytes.Buffer {
	return fromNew.Get().(*bytes.Buffer) // want "PV018"
}

var twoOfThem = []*sync.Pool{emptyPool(), emptyPool()}

func bareFromTwo(i int) *bytes.Buffer {
	return twoOfThem[i].Get().(*bytes.Buffer) // want "PV018"
}

func ownPool() *sync.Pool { return &sync.Pool{New: func() any { return new(bytes.Buffer) }} }

func madeEachTime(f func(*bytes.Buffer)) {
	p := ownPool() // want "PV010"
	b := p.Get().(*bytes.Buffer)
	defer p.Put(b)
	f(b)
}
