package daily

import (
	"math/bits"
	"reflect"
	"sync"
)

// A function makes one pool for each size.

type chunk struct{ data []byte }

func chunkPools(sizes ...int) []*sync.Pool {
	pools := make([]*sync.Pool, 0, len(sizes))
	for _, n := range sizes {
		pools = append(pools, &sync.Pool{New: func() any { return &chunk{make([]byte, n)} }})
	}
	return pools
}

var chunks = chunkPools(512, 4096, 32768)

func WithChunk(class int, f func([]byte)) {
	pool := chunks[class]
	c := pool.Get().(*chunk) // fine "PV018" each pool of the list has a New
	defer pool.Put(c)
	f(c.data)
}

// One pool for each type that is asked for, made when it is first needed.

type Resetter interface{ Reset() }

var byType sync.Map // reflect.Type to *sync.Pool

func poolOf(t reflect.Type) *sync.Pool {
	if p, ok := byType.Load(t); ok {
		return p.(*sync.Pool)
	}
	p, _ := byType.LoadOrStore(t, &sync.Pool{
		New: func() any { return reflect.New(t).Interface() },
	})
	return p.(*sync.Pool)
}

func Use[T any, P interface {
	*T
	Resetter
}](f func(P) error) error {
	pool := poolOf(reflect.TypeFor[T]())
	v := pool.Get().(P) // fine "PV018" the pool of a type makes values of it
	defer func() {
		v.Reset()
		pool.Put(v) // fine "PV021" the pool that v came from
	}()
	return f(v)
}

// The pools of an arena are values in an array, whose New is set in a loop.

type slab struct{ words []uint64 }

type Arena struct {
	classes [12]sync.Pool
}

func NewArena() *Arena {
	a := new(Arena)
	for i := range a.classes {
		n := 1 << i
		a.classes[i].New = func() any { return &slab{make([]uint64, n)} }
	}
	return a
}

func (a *Arena) class(n int) int { return bits.Len(uint(max(n, 1) - 1)) }

func (a *Arena) Zeroed(n int, f func([]uint64)) {
	c := a.class(n)
	if c >= len(a.classes) {
		f(make([]uint64, n))
		return
	}
	s := a.classes[c].Get().(*slab) // fine "PV018" NewArena has set New
	clear(s.words)
	f(s.words[:n])
	a.classes[c].Put(s)
}
