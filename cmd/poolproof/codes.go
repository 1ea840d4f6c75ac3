package main

import (
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/vetrun"
)

// codeOf is the exit code of a run's verdicts. A study that ends as it expects
// exits 0 whatever its verdicts; -vary and -aa ask without expecting anything;
// -base asks whether a change does harm.
// A benchmark that fails is the user's to repair, whatever the others say.
func codeOf(v study.VerdictFile, strict bool) int {
	codes := []int{exitcode.OK}
	if len(v.Plan.Failed) > 0 {
		codes = append(codes, exitcode.Build)
	}
	for _, r := range v.Results {
		if r.Failed != nil {
			codes = append(codes, exitcode.Build)
		}
		if r.AsExpected != nil && !*r.AsExpected || v.Plan.Kind == study.KindBase && r.Verdict == study.Negative {
			codes = append(codes, exitcode.Findings)
		}
		expected := r.AsExpected != nil && *r.AsExpected
		if strict && !expected && (r.Verdict == study.Inconclusive || r.Verdict == study.Invalid) {
			codes = append(codes, exitcode.Undecided)
		}
		if r.Verdict == study.Unsafe {
			codes = append(codes, exitcode.Unsafe)
		}
	}
	return exitcode.Highest(codes...)
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

// vetCode is the exit code of an analysis. A package that the analysis itself
// cannot deal with is a setting that does not work.
func vetCode(r *vetrun.Result) int {
	codes := []int{exitcode.OK}
	if len(r.Findings) > 0 {
		codes = append(codes, exitcode.Findings)
	}
	if len(r.Broken) > 0 {
		codes = append(codes, exitcode.Build)
	}
	if len(r.Failed) > 0 {
		codes = append(codes, exitcode.Usage)
	}
	return exitcode.Highest(codes...)
}
