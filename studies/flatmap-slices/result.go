package flatmapslices

import "fmt"

// Result is one item of a pipeline: a value, an error that concerns this item
// alone, or a sentinel, which marks a place in the stream. A Result of an int
// takes 32 bytes on 64-bit machines, as the published one does.
type Result[T any] struct {
	value    T
	err      error
	sentinel bool
}

// Ok returns the item that holds v.
func Ok[T any](v T) Result[T] { return Result[T]{value: v} }

// Err returns the item that failed with err.
func Err[T any](err error) Result[T] { return Result[T]{err: err} }

// Sentinel returns a mark, with an optional error that says what it marks.
func Sentinel[T any](err error) Result[T] { return Result[T]{err: err, sentinel: true} }

// Value returns the value; the zero value if r holds none.
func (r Result[T]) Value() T { return r.value }

// Err returns the item's error, nil for a value, and for a sentinel what it
// marks.
func (r Result[T]) Err() error { return r.err }

// IsSentinel reports whether r is a mark.
func (r Result[T]) IsSentinel() bool { return r.sentinel }

// PanicError is the error of an item on which a user's function panicked.
type PanicError struct {
	Value any // of the panic
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// recovered, deferred, turns a panic into an error in *err.
func recovered(err *error) {
	if v := recover(); v != nil {
		*err = &PanicError{v}
	}
}
