package stat

import (
	"fmt"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Outcomes of a published claim.
const (
	reproduced    = "reproduced"
	notReproduced = "not reproduced"
	notJudgeable  = "not judgeable"
)

// claims checks what was published against the results. A claim speaks of an
// arm on a benchmark; the cell that it names answers it, or else the first of
// the plan.
func claims(published []study.Claim, results []study.Result) []study.ClaimResult {
	var out []study.ClaimResult
	for _, c := range published {
		out = append(out, claim(c, results))
	}
	return out
}

func claim(c study.Claim, results []study.Result) study.ClaimResult {
	res := study.ClaimResult{Text: c.Text, Benchmark: c.Benchmark, Arm: c.Arm, Metric: c.Metric, Published: c.Published, Outcome: notJudgeable}
	compared := false
	for _, r := range results {
		if r.Arm != c.Arm || r.Benchmark != c.Benchmark {
			continue
		}
		compared = true
		if study.Holds(r.Cell, c.Cell) {
			f := find(c.Metric, r)
			res.Cell, res.Why, res.Found = r.Cell, f.why, f.figure
			switch {
			case !resolved(f.class):
			case f.class == c.Class:
				res.Outcome = reproduced
			default:
				res.Outcome = notReproduced
			}
			return res
		}
	}
	res.Why = fmt.Sprintf("the plan does not compare arm %q on benchmark %q", c.Arm, c.Benchmark)
	if compared {
		res.Cell = strings.Fields(c.Cell)
		res.Why = fmt.Sprintf("the plan has no cell %s", c.Cell)
	}
	return res
}

// finding is what a result says of one metric: its class, Unresolved where it
// cannot answer, a sentence, and the figure with its interval, "" for none.
type finding struct {
	class       study.Class
	why, figure string
}

func find(metric string, r study.Result) finding {
	switch r.Verdict {
	case study.Invalid, study.NotMeasured, study.Unsafe:
		why := fmt.Sprintf("the comparison is %s", r.Verdict)
		if len(r.Reasons) > 0 && r.Reasons[0].Text != "" {
			why += ": " + r.Reasons[0].Text
		}
		return finding{study.Unresolved, why, ""}
	}
	switch metric {
	case "time":
		return timeFinding("time", r.Time, r.Deciding, r.Estimator.String())
	case "cpu":
		e, name, class := cpuOf(r)
		return timeFinding("CPU time", class, e, name)
	case bytesPerOp:
		return counterFinding(bytesPerOp, r.Bytes)
	case allocsPerOp:
		return counterFinding(allocsPerOp, r.Allocs)
	}
	for _, m := range r.Metrics {
		if m.Unit == metric {
			return metricFinding(m)
		}
	}
	return finding{study.Unresolved, fmt.Sprintf("no metric is named %q", metric), ""}
}

func timeFinding(what string, class study.Class, e study.Estimate, metric string) finding {
	if e.Launches == 0 {
		return finding{study.Unresolved, what + " was not measured", ""}
	}
	f := finding{class, fmt.Sprintf("%s is %s: %s", what, class, estimateWords(e, metric)), relative(e.Effect)}
	if e.Launches >= 2 {
		f.figure = intervalWords(e)
	}
	return f
}

// cpuOf is the estimate of CPU time that goes with the one that decided. Its
// class is not guarded where wall time decided: it was looked at once.
func cpuOf(r study.Result) (e study.Estimate, name string, class study.Class) {
	switch {
	case r.Estimator.Clock == study.CPU:
		return r.Deciding, r.Estimator.String(), r.Time
	case r.Estimator.Kind == study.Mutator:
		return r.MCPU, mCPU.String(), r.MCPU.Class
	case r.Estimator.Kind == study.Total:
		return r.TCPU, tCPU.String(), r.TCPU.Class
	case r.Estimator.Kind == study.Long:
		return r.LongCPU, longCPU.String(), r.LongCPU.Class
	}
	return study.Estimate{}, "", study.Unresolved
}

func counterFinding(name string, c study.Counter) finding {
	f := finding{counterClass(c), counterWords(name, c), number(c.Old) + " -> " + number(c.New)}
	if !c.Equal && c.Old > 0 {
		f.figure += fmt.Sprintf(" (%s)", relative(c.New/c.Old-1))
	}
	return f
}

func metricFinding(m study.MetricResult) finding {
	f := finding{m.Class, metricWords(m), ""}
	if m.Why != nil {
		return f
	}
	f.figure = number(m.Old) + " -> " + number(m.New)
	switch {
	case m.Estimate.Launches >= 2:
		f.figure += ", " + intervalWords(m.Estimate)
	case m.Old > 0 && m.New != m.Old:
		f.figure += fmt.Sprintf(" (%s)", relative(m.New/m.Old-1))
	}
	return f
}

// counterClass is the direction of an exact counter.
func counterClass(c study.Counter) study.Class {
	switch {
	case c.Unsteady:
		return study.Unresolved
	case c.Equal:
		return study.Same
	case c.New < c.Old:
		return study.Better
	}
	return study.Worse
}
