package testcmd

import (
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize"
)

// ofOutcome are the exit codes of what a run of the sanitizer comes to.
var ofOutcome = map[sanitize.Outcome]int{
	sanitize.Clean:   exitcode.OK,
	sanitize.Misused: exitcode.Findings,
	sanitize.Failed:  exitcode.Build,
	sanitize.Stopped: exitcode.Interrupted,
}

// testCode is the exit code of a run of the sanitizer.
func testCode(r *sanitize.Result, o sanitize.Options) int { return ofOutcome[r.Outcome(o)] }
