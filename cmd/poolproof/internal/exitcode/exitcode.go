// Package exitcode gives errors the exit code that the command ends with.
package exitcode

import (
	"errors"
	"fmt"
)

// The codes of every poolproof command. Where several apply the order
// Interrupted, Usage, Build, Unsafe, Findings, Undecided says which wins.
const (
	OK          = 0
	Findings    = 1   // a NEGATIVE answer to a direct question, or a study that differs from its expectation
	Usage       = 2   // wrong flags or files, or an environment that cannot work
	Build       = 3   // the user's build, tests or benchmarks fail
	Undecided   = 4   // INCONCLUSIVE or INVALID under -strict
	Unsafe      = 5   // an arm that is not correct
	Interrupted = 130 // Ctrl-C or SIGTERM
)

// rank orders the codes, strongest first.
var rank = []int{Interrupted, Usage, Build, Unsafe, Findings, Undecided, OK}

// Highest returns the code that wins among codes; OK without any.
func Highest(codes ...int) int {
	for _, r := range rank {
		for _, c := range codes {
			if c == r {
				return r
			}
		}
	}
	return OK
}

// Error is an error with its exit code. Its text is one clear line: what was
// wrong, where, and what to do.
type Error struct {
	Code int
	Err  error
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an Error; the format is that of fmt.Errorf.
func Errorf(code int, format string, args ...any) error {
	return &Error{Code: code, Err: fmt.Errorf(format, args...)}
}

// Of returns the exit code of err: OK for nil, that of the outermost Error in
// its chain, else Usage.
func Of(err error) int {
	if err == nil {
		return OK
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Usage
}
