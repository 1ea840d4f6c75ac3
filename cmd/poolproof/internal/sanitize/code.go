package sanitize

import (
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

// Code is the exit code of a result.
func (r *Result) Code(o Options) int {
	code := exitcode.OK
	if r.Interrupted {
		code = exitcode.Interrupted
	}
	for _, f := range r.Findings {
		if !o.UpdateBaseline && counts(f.Severity, o) {
			code = exitcode.Highest(code, exitcode.Findings)
		}
	}
	for _, f := range r.Failures {
		switch {
		case f.Fails():
			code = exitcode.Highest(code, exitcode.Build)
		case f.Class == Poisoned:
			code = exitcode.Highest(code, exitcode.Findings)
		}
	}
	return code
}

// counts reports whether findings of that severity fail the run.
func counts(s record.Severity, o Options) bool { return s == record.Error || o.Strict }
