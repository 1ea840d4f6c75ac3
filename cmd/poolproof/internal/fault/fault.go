// Package fault gives errors a kind: whose mistake it is, and so what the user
// can do. The packages of the command return such errors; which exit code a kind
// has, and by which flag an option was given, only the command knows.
package fault

import (
	"errors"
	"fmt"
)

// Kind is whose mistake an error is.
type Kind int

const (
	// Other is the kind of an error that was given none: mostly what the
	// system says about files and processes.
	Other Kind = iota
	// Input is a question that cannot be answered as it is asked: an option, or
	// a file, folder or name that it mentions, has to change.
	Input
	// Tools is a setting that cannot work: the toolchain, git, a variable of the
	// environment or a folder for files does not do what is needed.
	Tools
	// Code is user code that does not build, or a test or benchmark that fails.
	Code
	// Defect is a mistake of poolproof itself.
	Defect
	// Interrupted is work that the user has stopped.
	Interrupted
)

func (k Kind) String() string {
	names := [...]string{"other", "input", "tools", "code", "defect", "interrupted"}
	if k < 0 || int(k) >= len(names) {
		return fmt.Sprintf("kind %d", int(k))
	}
	return names[k]
}

// Error is an error of a kind. Its text says what is wrong, where, and what to
// do.
type Error struct {
	Kind   Kind
	Option string // the option of the question that is wrong, such as "base"; "" where it is none
	Value  string // of that option; "" where the text does without
	Err    error
}

// Error returns the text, after the option and its value.
func (e *Error) Error() string {
	switch {
	case e.Option == "":
		return e.Err.Error()
	case e.Value == "":
		return e.Option + ": " + e.Err.Error()
	}
	return e.Option + " " + e.Value + ": " + e.Err.Error()
}

// Unwrap returns the error without its kind and option.
func (e *Error) Unwrap() error { return e.Err }

// Errorf returns an error of a kind; the format is that of [fmt.Errorf].
func Errorf(kind Kind, format string, args ...any) error {
	return &Error{Kind: kind, Err: fmt.Errorf(format, args...)}
}

// Option returns an error of the kind [Input] about the value of an option; the
// format is that of [fmt.Errorf].
func Option(name, value, format string, args ...any) error {
	return &Error{Kind: Input, Option: name, Value: value, Err: fmt.Errorf(format, args...)}
}

// KindOf returns the kind of the outermost [Error] in the chain of err, and
// [Other] where there is none.
func KindOf(err error) Kind {
	if e := new(Error); errors.As(err, &e) {
		return e.Kind
	}
	return Other
}
