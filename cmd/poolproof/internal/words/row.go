// Package words says in words what plans and verdicts hold: numbers, reasons,
// claims, the figures of a comparison, and what is to be said of several. Pages
// (packages note, term and page) set them.
//
// Every function is pure: it takes values, gives text, and neither measures nor
// judges. A number that was not measured, or that an invalid or unsafe experiment
// makes meaningless, is never said; a dash stands in its place.
package words

import (
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Row is one comparison with its result.
type Row struct {
	study.Result
	Plan  study.Comparison // zero if the plan does not have it
	Alone bool             // the title names the only arm, so that rows need not
}

// ResultsOf are those of rows.
func ResultsOf(rs []Row) []study.Result {
	out := make([]study.Result, len(rs))
	for i, r := range rs {
		out[i] = r.Result
	}
	return out
}

// OneArm reports whether the plan's title names the only arm and the only
// baseline: two revisions, or two files, are the same in every comparison.
func OneArm(p study.Plan) bool { return p.Kind == study.KindBase || p.Kind == study.KindFiles }

// Rows are the comparisons of a verdict file, in the order of its results.
func Rows(v study.VerdictFile) []Row {
	rs := make([]Row, len(v.Results))
	for i, r := range v.Results {
		rs[i] = Row{Result: r, Plan: v.Plan.Comparison(r.Comparison), Alone: OneArm(v.Plan)}
	}
	return rs
}

// Called is the verdict with what it is worth less than another one for.
func (r Row) Called() string {
	if r.Verdict.Decided() && r.Sequential {
		return string(r.Verdict) + " (sequential)"
	}
	return string(r.Verdict)
}

// Change is the change of time, marked where it is not wall time.
func (r Row) Change() string {
	if !r.Timed() {
		return Dash
	}
	if r.Estimator.Clock == study.CPU {
		return interval(r.Deciding) + " cpu"
	}
	return interval(r.Deciding)
}

// TimeBy is the change by a clock, of the kind of estimator that decided; a dash
// where that clock was not read.
func (r Row) TimeBy(clock study.Clock) string {
	mutator, total, long := r.MWall, r.TWall, r.LongWall
	if clock == study.CPU {
		mutator, total, long = r.MCPU, r.TCPU, r.LongCPU
	}
	switch {
	case !r.Timed():
		return Dash
	case r.Estimator.Clock == clock:
		return interval(r.Deciding)
	case r.Estimator.Kind == study.Mutator:
		return interval(mutator)
	case r.Estimator.Kind == study.Total:
		return interval(total)
	case r.Estimator.Kind == study.Long:
		return interval(long)
	}
	return Dash
}

// Between is the change of time between collections, where the collections
// were counted in the deciding one.
func (r Row) Between() string {
	switch {
	case !r.Timed() || r.Estimator.Kind == study.Mutator || r.Paced != nil:
		return Dash
	case r.Estimator.Clock == study.CPU:
		return interval(r.MCPU)
	}
	return interval(r.MWall)
}

// PerOp is the time per operation on both sides.
func (r Row) PerOp() string {
	if !r.Timed() || r.BaselineTime <= 0 || r.CandidateTime <= 0 {
		return Dash
	}
	return Times(r.BaselineTime, r.CandidateTime)
}

// BytesPerOp is both sides of B/op.
func (r Row) BytesPerOp() string { return r.counter(r.Bytes) }

// AllocsPerOp is both sides of allocs/op.
func (r Row) AllocsPerOp() string { return r.counter(r.Allocs) }

func (r Row) counter(c study.Counter) string {
	if !r.Counted() {
		return Dash
	}
	return count(c.Baseline) + " -> " + count(c.Candidate)
}

// CellName is the cell as one text.
func (r Row) CellName() string { return strings.Join(r.Cell, " ") }

// Name is the comparison in running text.
func (r Row) Name(cells bool) string {
	name := r.Benchmark
	if r.Arm != r.Baseline && !r.Alone { // not an A/A run
		name += " " + r.Arm
	}
	if cells && len(r.Cell) > 0 {
		name += " (" + r.CellName() + ")"
	}
	return name
}

// SeveralCells reports whether the cell belongs to a comparison's name.
func SeveralCells(rs []Row) bool {
	return slices.ContainsFunc(rs, func(r Row) bool { return r.CellName() != rs[0].CellName() })
}

// Obvious reports whether the figures of the row explain its verdict.
func (r Row) Obvious() bool {
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

// Unique keeps the first of equal elements, in order.
func Unique[T comparable](xs []T) []T {
	var out []T
	for _, x := range xs {
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}
