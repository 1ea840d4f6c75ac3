// Package typedpool is a sync.Pool with a type.
package typedpool

import (
	"math"
	"sync"
)

// Pool keeps objects of one type.
type Pool[T any] struct{ p sync.Pool }

// New returns a pool of T.
func New[T any]() *Pool[T] {
	return &Pool[T]{p: sync.Pool{New: func() any { var zero T; return zero }}} // want "PV007"
}
func (p *Pool[T]) Get() *T { return p.p.Get().(*T) }

// Put keeps x.
func (p *Pool[T]) Put(x *T) { p.p.Put(x) }

type point struct{ x, y float64 }

var points = New[point]()

// Length returns the length of the way through the points.
func Length(xs, ys []float64) (sum float64) {
	last := points.Get()
	defer points.Put(last)
	*last = point{xs[0], ys[0]}
	for i := range xs {
		sum += math.Hypot(xs[i]-last.x, ys[i]-last.y)
		*last = point{xs[i], ys[i]}
	}
	return sum
}
