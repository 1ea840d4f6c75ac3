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
