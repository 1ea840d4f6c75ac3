package a

import (
	"bytes"
	"io"
	"sync"
)

var good = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func same() {
	b := good.Get().(*bytes.Buffer)
	defer good.Put(b)
}

// An interface that is met.
var readers = sync.Pool{New: func() any { return new(bytes.Reader) }}

func reader(r *bytes.Buffer) io.Reader {
	readers.Put(r)
	return readers.Get().(io.Reader)
}

// A type of the same name is the same.
type buffer = bytes.Buffer

var aliased = sync.Pool{New: func() any { return new(buffer) }}

func alias() { aliased.Put(aliased.Get().(*bytes.Buffer)) }

// A switch may want several types.
var mixed sync.Pool

func mix(b *bytes.Buffer, r *bytes.Reader) {
	mixed.Put(b)
	mixed.Put(r)
	switch x := mixed.Get().(type) {
	case *bytes.Buffer:
		x.Reset()
	case *bytes.Reader:
		x.Reset(nil)
	}
}

// Not asserted here: somebody else knows.
var opaque sync.Pool

func opaqueGet() any  { return opaque.Get() }
func opaquePut(x any) { opaque.Put(x); opaque.Put(1) }

// Two pools in one type may hold two types.
type box struct{ pool sync.Pool }

var (
	boxA = box{pool: sync.Pool{New: func() any { return new(bytes.Buffer) }}}
	boxB = box{pool: sync.Pool{New: func() any { return new(bytes.Reader) }}}
)

func boxes() (*bytes.Buffer, *bytes.Reader) {
	return boxA.pool.Get().(*bytes.Buffer), boxB.pool.Get().(*bytes.Reader)
}

// So may the elements of an array.
var array [2]sync.Pool

func elements(b *bytes.Buffer, r *bytes.Reader) (*bytes.Buffer, *bytes.Reader) {
	array[0].Put(b)
	array[1].Put(r)
	x, _ := array[0].Get().(*bytes.Buffer)
	y, _ := array[1].Get().(*bytes.Reader)
	return x, y
}

// A generic pool: the parameters of two methods are the same type.
type typed[T any] struct{ pool sync.Pool }

func newTyped[T any]() *typed[T] {
	return &typed[T]{pool: sync.Pool{New: func() any { return new(T) }}}
}

func (p *typed[T]) get() *T  { return p.pool.Get().(*T) }
func (p *typed[E]) put(x *E) { p.pool.Put(x) }

// Each method has a type parameter of its own; what they make of it is the same.
type boxed[T any] struct{ v T }

type tables[K comparable, T any] struct{ pool, maps sync.Pool }

func (b *tables[K, T]) get() *boxed[T]   { return b.pool.Get().(*boxed[T]) }
func (b *tables[K, T]) put(x *boxed[T])  { b.pool.Put(x) }
func (b *tables[K, T]) table() map[K][]T { return b.maps.Get().(map[K][]T) }
func (b *tables[K, T]) back(m map[K][]T) { b.maps.Put(m) }
