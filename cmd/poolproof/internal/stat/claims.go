package stat

import (
	"fmt"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Outcomes of a published claim.
const (
	reproduced    = "reproduced"
	notReproduced = "not reproduced"
	notJudgeable  = "not judgeable"
)

// claims checks what was published against the results. A claim speaks of an
// arm on a benchmark; the first cell of the plan answers it.
func claims(published []study.Claim, results []study.Result) []study.ClaimResult {
	var out []study.ClaimResult
	for _, c := range published {
		out = append(out, claim(c, results))
	}
	return out
}

func claim(c study.Claim, results []study.Result) study.ClaimResult {
	res := study.ClaimResult{Text: c.Text, Outcome: notJudgeable}
	for _, r := range results {
		if r.Arm == c.Arm && r.Benchmark == c.Benchmark {
			var found study.Class
			found, res.Why = finding(c.Metric, r)
			switch {
			case !resolved(found):
			case found == c.Class:
				res.Outcome = reproduced
			default:
				res.Outcome = notReproduced
			}
			return res
		}
	}
	res.Why = fmt.Sprintf("the plan does not compare arm %q on benchmark %q", c.Arm, c.Benchmark)
	return res
}

// finding is the class of one metric of a result, and a sentence on it.
// Unresolved where the result cannot answer.
func finding(metric string, r study.Result) (study.Class, string) {
	switch r.Verdict {
	case study.Invalid, study.NotMeasured, study.Unsafe:
		why := fmt.Sprintf("the comparison is %s", r.Verdict)
		if len(r.Reasons) > 0 {
			why += ": " + r.Reasons[0]
		}
		return study.Unresolved, why
	}
	switch metric {
	case "time":
		return r.Time, fmt.Sprintf("time is %s: %s", r.Time, estimateWords(r.Deciding, r.Metric))
	case bytesPerOp:
		return counterClass(r.Bytes), counterWords(bytesPerOp, r.Bytes)
	case allocsPerOp:
		return counterClass(r.Allocs), counterWords(allocsPerOp, r.Allocs)
	}
	return study.Unresolved, fmt.Sprintf("no metric is named %q", metric)
}

// counterClass is the direction of an exact counter.
func counterClass(c study.Counter) study.Class {
	switch {
	case c.Equal:
		return study.Same
	case c.New < c.Old:
		return study.Better
	}
	return study.Worse
}
