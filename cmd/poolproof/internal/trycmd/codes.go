package trycmd

import (
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// onlyNegative reports whether reuse does harm in each way that was judged.
func onlyNegative(v study.VerdictFile) bool {
	negative := false
	for _, a := range stat.Variants(v) {
		switch a.Verdict {
		case study.Negative:
			negative = true
		case "", study.Invalid, study.NotMeasured, study.Unsafe:
		default:
			return false
		}
	}
	return negative
}

// codeOf is the exit code of a run's verdicts. A study that ends as it expects
// exits 0 whatever its verdicts; -vary and -aa ask without expecting anything;
// -base and two files ask whether a change does harm.
// A benchmark that fails is the user's to repair, whatever the others say.
func codeOf(v study.VerdictFile, strict bool) int {
	codes := []int{exitcode.OK}
	if len(v.Plan.Failed) > 0 {
		codes = append(codes, exitcode.Build)
	}
	harm := v.Plan.Kind == study.KindBase || v.Plan.Kind == study.KindFiles // NEGATIVE is a finding
	for _, r := range v.Results {
		if r.Failed != nil {
			codes = append(codes, exitcode.Build)
		}
		if r.AsExpected != nil && !*r.AsExpected || harm && r.Verdict == study.Negative {
			codes = append(codes, exitcode.Findings)
		}
		expected := r.AsExpected != nil && *r.AsExpected
		if strict && !expected && (r.Verdict == study.Inconclusive || r.Verdict == study.Invalid || r.Verdict == study.DiffersByMachine) {
			codes = append(codes, exitcode.Undecided)
		}
		if r.Verdict == study.Unsafe {
			codes = append(codes, exitcode.Unsafe)
		}
	}
	for _, r := range v.Plan.Variants {
		if r.Unbuilt != "" && r.Evidence != "user" {
			codes = append(codes, exitcode.Build) // a variant of poolproof's own
		}
	}
	if v.Plan.Kind == study.KindSite && onlyNegative(v) {
		codes = append(codes, exitcode.Findings)
	}
	return exitcode.Highest(codes...)
}
