package flow

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// Drop, returned by a function given to [Map], [FlatMap], [FlatMapSlice],
// [Handle], [MapOrdered], [MapUnordered] or [Stream.Recover], leaves the item out:
// it becomes neither a value nor an error. It must be returned as it is, not
// wrapped.
//
//lint:ignore ST1012 it is an instruction, as fs.SkipDir is
var Drop = errors.New("flow: this item is left out")

// ErrUsed is returned by a sink whose stream begins with a source that can be run
// once only, such as a reader, and was run before.
var ErrUsed = errors.New("flow: the source of this stream can be run once only, and has been run before; make a new one for each run")

// errExit is the error of a function that ended its goroutine by runtime.Goexit, as
// t.FailNow does.
var errExit = errors.New("flow: a function of the pipeline ended its goroutine by runtime.Goexit (t.FailNow does so); return an error")

// PanicError is the error of a function that panicked. If the function was called
// for an item it is the error of that item, and the stream goes on; if it was a
// source, it ends the stream. Functions of sinks are not recovered: their panics
// reach the caller of the sink, after all goroutines of the run have ended.
type PanicError struct {
	Value any    // given to panic
	Stack []byte // of the goroutine, as by [debug.Stack]
}

func newPanicError(value any) *PanicError { return &PanicError{value, debug.Stack()} }

// Error returns a text with the value, but without the stack.
func (e *PanicError) Error() string {
	return fmt.Sprintf("flow: a function of the pipeline panicked: %v", e.Value)
}

// Unwrap returns the value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// recovered, deferred, turns a panic into an error.
func recovered(err *error) {
	if v := recover(); v != nil {
		*err = newPanicError(v)
	}
}
