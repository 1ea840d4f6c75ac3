// Package testcmd is "poolproof test".
package testcmd

import (
	"context"
	"os"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize"
)

// Run is the subcommand: a sanitizer for sync.Pool.
func Run(ctx context.Context, args []string) (int, error) {
	f, err := parseTest(args)
	if err != nil {
		return exitcode.Usage, err
	}
	o := f.options()
	res, wrong := sanitize.Run(ctx, o)
	if res == nil {
		return exitcode.Of(wrong), wrong
	}
	if err := f.show(os.Stdout, os.Stderr, res); err != nil {
		return exitcode.Usage, err
	}
	if res.Interrupted {
		return exitcode.Interrupted, fault.Errorf(fault.Interrupted, "interrupted; the findings so far are above")
	}
	if wrong != nil {
		return exitcode.Of(wrong), wrong
	}
	return testCode(res, o), nil
}

// ofOutcome are the exit codes of what a run of the sanitizer comes to.
var ofOutcome = map[sanitize.Outcome]int{
	sanitize.Clean:   exitcode.OK,
	sanitize.Misused: exitcode.Findings,
	sanitize.Failed:  exitcode.Build,
	sanitize.Stopped: exitcode.Interrupted,
}

// testCode is the exit code of a run of the sanitizer.
func testCode(r *sanitize.Result, o sanitize.Options) int { return ofOutcome[r.Outcome(o)] }
