package sanitize

import "github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"

// Outcome is the result of a run in one word. Where several apply the largest
// is the one.
type Outcome int

const (
	Clean   Outcome = iota // nothing was found that counts
	Misused                // a pool is misused, or a test fails only because of what a misuse would do
	Failed                 // a test fails by itself, or a package does not build
	Stopped                // the run was interrupted
)

// Outcome returns what the run that was asked for with these options came to.
func (r *Result) Outcome(o Options) Outcome {
	outcome := Clean
	if r.Interrupted {
		outcome = Stopped
	}
	for _, f := range r.Findings {
		if !o.UpdateBaseline && counts(f.Severity, o) {
			outcome = max(outcome, Misused)
		}
	}
	if o.Strict && len(r.Unwatched) > 0 {
		outcome = max(outcome, Misused)
	}
	for _, f := range r.Failures {
		switch {
		case f.Fails():
			outcome = max(outcome, Failed)
		case f.Class == Poisoned:
			outcome = max(outcome, Misused)
		}
	}
	return outcome
}

// counts reports whether findings of that severity fail the run.
func counts(s record.Severity, o Options) bool { return s == record.Error || o.Strict }
