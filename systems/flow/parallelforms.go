package flow

import (
	"context"
	"sync/atomic"
)

// FilterOrdered is [Stream.Filter] for a slow function: up to workers goroutines call keep
// at a time, and the values come in their order. An error or a panic of keep takes the
// place of the value. The rest is as with [MapOrdered].
func FilterOrdered[T any](s Stream[T], workers int, keep func(context.Context, T) (bool, error)) Stream[T] {
	need("FilterOrdered", "keep", keep == nil)
	return filtered(parallel("filter in order", "FilterOrdered", s, workers, kept(keep), true), keep)
}

// FilterUnordered is [FilterOrdered] whose values come as they are ready.
func FilterUnordered[T any](s Stream[T], workers int, keep func(context.Context, T) (bool, error)) Stream[T] {
	need("FilterUnordered", "keep", keep == nil)
	return filtered(parallel("filter out of order", "FilterUnordered", s, workers, kept(keep), false), keep)
}

// kept is keep as a function that makes values of values.
func kept[T any](keep func(context.Context, T) (bool, error)) func(context.Context, T) (T, error) {
	return func(ctx context.Context, v T) (T, error) {
		stays, err := keep(ctx, v)
		if err == nil && !stays {
			err = Drop
		}
		return v, err
	}
}

// filtered names the user's function in s.
func filtered[T any](s Stream[T], keep any) Stream[T] {
	s.node.of(keep)
	return s
}

// FlatMapOrdered is [FlatMapSlice] for a slow function: up to workers goroutines call f at
// a time, and the results come in the order of the values. What f returns must not be
// changed until the stream has passed on. The rest is as with [MapOrdered]; what waits is
// results, each of any length.
func FlatMapOrdered[I, O any](s Stream[I], workers int, f func(context.Context, I) ([]O, error)) Stream[O] {
	need("FlatMapOrdered", "f", f == nil)
	return flat(parallel("flat map in order", "FlatMapOrdered", s, workers, f, true))
}

// FlatMapUnordered is [FlatMapOrdered] whose results come as they are ready: those of one
// value stay together.
func FlatMapUnordered[I, O any](s Stream[I], workers int, f func(context.Context, I) ([]O, error)) Stream[O] {
	need("FlatMapUnordered", "f", f == nil)
	return flat(parallel("flat map out of order", "FlatMapUnordered", s, workers, f, false))
}

// flat is the stream of the elements of the slices of s. The stage of s shows in
// pictures and statistics.
func flat[T any](s Stream[[]T]) Stream[T] {
	all := FlatMapSlice(s, func(v []T) ([]T, error) { return v, nil })
	all.node = newNode("flatten", s.node)
	return all
}

// EachParallel is [Stream.Each] with up to workers goroutines that call f at a time, in
// no order. The first error of f ends the stream: no further call begins, the ctx of those
// in progress ends, and EachParallel returns that error when they have returned. It is
// called with item errors too, on the goroutine of the caller. If f panics, EachParallel
// returns a [PanicError]. It panics if workers is not positive.
func (s Stream[T]) EachParallel(ctx context.Context, workers int, f func(context.Context, T, error) error) error {
	need("EachParallel", "f", f == nil)
	var ended atomic.Bool
	done := parallel("each", "EachParallel", s, workers, func(ctx context.Context, v T) (struct{}, error) {
		if ended.Load() {
			return struct{}{}, Drop
		}
		if err := protect(func() error { return f(ctx, v, nil) }); err != nil {
			ended.Store(true) // no call begins after this one
			return struct{}{}, &sinkError{err}
		}
		return struct{}{}, Drop
	}, false)
	filtered(done, f)
	return done.Each(ctx, func(_ struct{}, err error) error {
		if end, ended := err.(*sinkError); ended {
			return end.error
		}
		var v T
		return f(ctx, v, err)
	})
}

// sinkError is an error of a sink's function that a worker has called.
type sinkError struct{ error }

// protect turns a panic of f into an error.
func protect(f func() error) (err error) {
	defer recovered(&err)
	return f()
}

// MapReduce runs s and returns a value for each key: up to workers goroutines call pair
// for the values of s, and reduce, called by one goroutine at a time, makes one value of
// the one that a key has and the next one. The order in which values meet is not
// determined, so reduce must not depend on it. It returns at the first error, an item error
// or one of pair or reduce, with what it has until then. It panics if workers is not
// positive.
func MapReduce[T any, K comparable, V any](ctx context.Context, s Stream[T], workers int,
	pair func(context.Context, T) (K, V, error), reduce func(V, V) (V, error)) (map[K]V, error) {
	need("MapReduce", "pair", pair == nil)
	need("MapReduce", "reduce", reduce == nil)
	pairs := parallel("map", "MapReduce", s, workers, func(ctx context.Context, v T) (p Pair[K, V], err error) {
		p.A, p.B, err = pair(ctx, v)
		return p, err
	}, false)
	filtered(pairs, pair)
	all := make(map[K]V)
	err := pairs.Each(ctx, func(p Pair[K, V], err error) error {
		if err != nil {
			return err
		}
		v, seen := all[p.A]
		if !seen {
			all[p.A] = p.B
			return nil
		}
		if v, err = reduce(v, p.B); err == nil {
			all[p.A] = v
		}
		return err
	})
	return all, err
}
