// Package results lets functions that take and return a Result, a value or an error
// or a mark in one type, be stages of a [flow.Stream]. Such functions come from
// pipelines in which a channel carries Results from goroutine to goroutine:
//
//	double := results.Map(func(n int) (int, error) { return 2 * n, nil })
//	s := double.Apply(results.FromSeq(items))
//	for r := range results.All(ctx, s) {
//		...
//	}
//
// In a Stream values are stored without their Result, 8 bytes for an int where a
// Result of one takes 32, and no item crosses a channel. What is left of the former
// cost is what the signatures ask for: a [FlatMapper] makes a slice of Results for
// each item. [flow.FlatMap] does not; new code should use it.
package results

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/poolproof/poolproof/systems/flow"
)

// Result is one item of a pipeline: a value, an error that concerns this item
// alone, or a sentinel, which marks a place in the stream.
type Result[T any] struct {
	value    T
	err      error
	sentinel bool
}

// Ok returns the item that holds v.
func Ok[T any](v T) Result[T] { return Result[T]{value: v} }

// Err returns the item that failed with err, which must not be nil.
func Err[T any](err error) Result[T] { return Result[T]{err: err} }

// Sentinel returns a mark, with an error, or nil, that says what it marks.
func Sentinel[T any](err error) Result[T] { return Result[T]{err: err, sentinel: true} }

// Value returns the value; the zero value if r holds none.
func (r Result[T]) Value() T { return r.value }

// Error returns the item's error; nil for a value; for a sentinel what it marks.
func (r Result[T]) Error() error { return r.err }

// IsValue reports whether r holds a value.
func (r Result[T]) IsValue() bool { return r.err == nil && !r.sentinel }

// IsError reports whether r is an item that failed.
func (r Result[T]) IsError() bool { return r.err != nil && !r.sentinel }

// IsSentinel reports whether r is a mark.
func (r Result[T]) IsSentinel() bool { return r.sentinel }

// Mark is the item error by which a sentinel travels in a [flow.Stream].
type Mark struct {
	Err error // what it marks, or nil
}

// Error returns a text for people who meet a mark where they expected an error.
func (m *Mark) Error() string { return fmt.Sprintf("results: a sentinel (%v)", m.Err) }

// Unwrap returns what the sentinel marks.
func (m *Mark) Unwrap() error { return m.Err }

// Unwrap returns r as a stage of a [flow.Stream] returns it: a value, or an error,
// which for a sentinel is a [Mark].
func (r Result[T]) Unwrap() (T, error) {
	if r.sentinel {
		return r.value, &Mark{r.err}
	}
	return r.value, r.err
}

// Of returns the Result of what a sink gets: the opposite of [Result.Unwrap].
func Of[T any](v T, err error) Result[T] {
	if err == nil {
		return Ok(v)
	}
	var m *Mark
	if errors.As(err, &m) {
		return Sentinel[T](m.Err)
	}
	return Err[T](err)
}

// FromSeq returns the stream of items.
func FromSeq[T any](items iter.Seq[Result[T]]) flow.Stream[T] {
	return flow.FromSeq2(func(yield func(T, error) bool) {
		for r := range items {
			if !yield(r.Unwrap()) {
				return
			}
		}
	})
}

// All runs s and returns its items, in order; a fatal error is the last one. A break
// ends the stream.
func All[T any](ctx context.Context, s flow.Stream[T]) iter.Seq[Result[T]] {
	return func(yield func(Result[T]) bool) {
		for v, err := range s.All(ctx) {
			if !yield(Of(v, err)) {
				return
			}
		}
	}
}

// Mapper makes one item of one. It is called for values and errors; sentinels pass.
// An error that it returns, or its panic, takes the place of the item.
type Mapper[I, O any] func(Result[I]) (Result[O], error)

// Map returns a Mapper that calls f for values and passes errors on.
func Map[I, O any](f func(I) (O, error)) Mapper[I, O] {
	return func(r Result[I]) (Result[O], error) {
		if r.IsError() {
			return Err[O](r.err), nil
		}
		v, err := f(r.value)
		return Ok(v), err
	}
}

// Apply returns the stream of m's items for those of s.
func (m Mapper[I, O]) Apply(s flow.Stream[I]) flow.Stream[O] {
	if m == nil {
		panic("results: the Mapper is nil")
	}
	return apply(s, func(dst []Result[O], r Result[I]) ([]Result[O], error) {
		made, err := m(r)
		return append(dst, made), err
	}).Name("mapper")
}

// FlatMapper makes any number of items of one. It is called for values and errors;
// sentinels pass. An error that it returns, or its panic, takes the place of the
// item. The slice is its own until the stream asks for the next item.
type FlatMapper[I, O any] func(Result[I]) ([]Result[O], error)

// FlatMap returns a FlatMapper that calls f for values and passes errors on.
func FlatMap[I, O any](f func(I) ([]O, error)) FlatMapper[I, O] {
	return func(r Result[I]) ([]Result[O], error) {
		if r.IsError() {
			return nil, r.err
		}
		values, err := f(r.value)
		if err != nil {
			return nil, err
		}
		made := make([]Result[O], len(values))
		for i, v := range values {
			made[i] = Ok(v)
		}
		return made, nil
	}
}

// Apply returns the stream of m's items for those of s.
func (m FlatMapper[I, O]) Apply(s flow.Stream[I]) flow.Stream[O] {
	if m == nil {
		panic("results: the FlatMapper is nil")
	}
	return apply(s, func(dst []Result[O], r Result[I]) ([]Result[O], error) {
		made, err := m(r)
		return append(dst, made...), err
	}).Name("flat mapper")
}

// apply is the stage of both.
func apply[I, O any](s flow.Stream[I], f func([]Result[O], Result[I]) ([]Result[O], error)) flow.Stream[O] {
	made := flow.Handle(s, func(dst []Result[O], v I, err error) ([]Result[O], error) {
		r := Of(v, err)
		if r.IsSentinel() {
			return append(dst, Sentinel[O](r.err)), nil
		}
		return f(dst, r)
	})
	return flow.Map(made, Result[O].Unwrap)
}
