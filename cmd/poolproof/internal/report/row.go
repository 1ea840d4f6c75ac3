package report

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// row is one comparison with its result.
type row struct {
	study.Result
	plan  study.Comparison // zero if the plan does not have it
	alone bool             // the title names the only arm, so that rows need not
}

// resultsOf are those of rows.
func resultsOf(rs []row) []study.Result {
	out := make([]study.Result, len(rs))
	for i, r := range rs {
		out[i] = r.Result
	}
	return out
}

// oneArm reports whether the plan's title names the only arm and the only
// baseline: two revisions are the same in every comparison.
func oneArm(p study.Plan) bool { return p.Kind == study.KindBase }

func rows(v study.VerdictFile) []row {
	rs := make([]row, len(v.Results))
	for i, r := range v.Results {
		rs[i] = row{Result: r, plan: v.Plan.Comparison(r.Comparison), alone: oneArm(v.Plan)}
	}
	return rs
}

// effect is the change of time, marked where it is not wall time.
func (r row) effect() string {
	if !r.Timed() {
		return dash
	}
	if r.Estimator.Clock == study.CPU {
		return interval(r.Deciding) + " cpu"
	}
	return interval(r.Deciding)
}

// wallTime and cpuTime are the changes by the two clocks, of the kind of
// estimator that decided; a dash where that clock was not read.
func (r row) wallTime() string { return r.byClock(study.Wall, r.MWall, r.TWall, r.LongWall) }
func (r row) cpuTime() string  { return r.byClock(study.CPU, r.MCPU, r.TCPU, r.LongCPU) }

func (r row) byClock(clock study.Clock, mutator, total, long study.Estimate) string {
	switch {
	case !r.Timed():
		return dash
	case r.Estimator.Clock == clock:
		return interval(r.Deciding)
	case r.Estimator.Kind == study.Mutator:
		return interval(mutator)
	case r.Estimator.Kind == study.Total:
		return interval(total)
	case r.Estimator.Kind == study.Long:
		return interval(long)
	}
	return dash
}

// between is the change of time between collections, where the collections
// were counted in the deciding one.
func (r row) between() string {
	switch {
	case !r.Timed() || r.Estimator.Kind == study.Mutator || r.Paced != nil:
		return dash
	case r.Estimator.Clock == study.CPU:
		return interval(r.MCPU)
	}
	return interval(r.MWall)
}

// time is the time per operation on both sides.
func (r row) time() string {
	if !r.Timed() || r.BaselineTime <= 0 || r.CandidateTime <= 0 {
		return dash
	}
	return times(r.BaselineTime, r.CandidateTime)
}

func (r row) bytes() string  { return r.counter(r.Bytes) }
func (r row) allocs() string { return r.counter(r.Allocs) }

func (r row) counter(c study.Counter) string {
	if !r.Counted() {
		return dash
	}
	return count(c.Baseline) + " -> " + count(c.Candidate)
}

func (r row) cell() string { return strings.Join(r.Cell, " ") }

// name is the comparison in running text.
func (r row) name(cells bool) string {
	name := r.Benchmark
	if r.Arm != r.Baseline && !r.alone { // not an A/A run
		name += " " + r.Arm
	}
	if cells && len(r.Cell) > 0 {
		name += " (" + r.cell() + ")"
	}
	return name
}

// severalCells reports whether the cell belongs to a comparison's name.
func severalCells(rs []row) bool {
	return slices.ContainsFunc(rs, func(r row) bool { return r.cell() != rs[0].cell() })
}

// obvious reports whether the figures of the row say why the verdict is what
// it is.
func (r row) obvious() bool {
	switch r.Verdict {
	case study.NoChange:
		return true
	case study.Positive:
		return r.Time == study.Better && !r.Isolated
	case study.Negative:
		return r.Time == study.Worse
	}
	return false
}

// busy is the share of the machine that other programs may use before a
// reader is told.
const busy = 0.15

// unique keeps the first of equal elements, in order.
func unique[T comparable](xs []T) []T {
	var out []T
	for _, x := range xs {
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}
