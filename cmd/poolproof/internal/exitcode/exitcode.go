// Package exitcode holds the exit codes of the command, and which of them an
// error ends it with. Only commands import it: what they call returns errors
// with a kind, see package fault.
package exitcode

import (
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
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
		if slices.Contains(codes, r) {
			return r
		}
	}
	return OK
}

// Of returns the exit code of err: OK for nil, else that of its kind.
func Of(err error) int {
	switch kind := fault.KindOf(err); {
	case err == nil:
		return OK
	case kind == fault.Code:
		return Build
	case kind == fault.Interrupted:
		return Interrupted
	}
	return Usage
}
