package words

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Figures has a row for each figure that the study judges, on each comparison.
func Figures(rs []Row, cells bool) Grid {
	g := Grid{Head: []string{"comparison", "metric", "baseline -> arm", "change", "class"}}
	for _, r := range rs {
		if !r.Timed() {
			continue
		}
		for _, m := range r.Metrics {
			values, change := figure(m)
			g.Add(r.Name(cells), m.Unit, values, change, figureClass(m))
		}
	}
	return g
}

// figure renders both sides and the change.
func figure(m study.MetricResult) (values, change string) {
	switch {
	case m.Why != nil:
		return Dash, Dash
	case m.Estimate.Launches > 0:
		change = interval(m.Estimate)
	case m.Baseline > 0 && m.Class != study.Same:
		change = Percent(m.Candidate/m.Baseline-1) + " %"
	default:
		change = Dash
	}
	return small(m.Baseline) + " -> " + small(m.Candidate), change
}

// small is count for figures that may be far below 1.
func small(x float64) string {
	if a := max(x, -x); a > 0 && a < 0.1 {
		return fmt.Sprintf("%.2g", x)
	}
	return count(x)
}

func figureClass(m study.MetricResult) string {
	if m.Why != nil {
		return MetricSentence(m)
	}
	if m.Decides {
		return string(m.Class) + ", has a say"
	}
	return string(m.Class)
}

// OrDash is the text, or a dash where there is none.
func OrDash(s string) string { return cmp.Or(s, Dash) }

// Stale lists the verdicts on which the study's prose rests and that were not
// found.
func Stale(v study.VerdictFile) []string {
	if v.Plan.Study == nil {
		return nil
	}
	return v.Plan.Study.Prose.Stale(v.Results)
}

// Changed is the relative change of a counter, in brackets.
func (r Row) Changed(c study.Counter) string {
	ratio, ok := CounterRatio(c)
	if !r.Counted() || c.Equal || !ok {
		return ""
	}
	p := Percent(ratio - 1)
	if p == "0.0" {
		return ""
	}
	return " (" + p + " %)"
}

// Extra lists what the benchmarks reported and the study does not judge.
func Extra(rs []Row, cells bool) (lines []string) {
	for _, r := range rs {
		if !r.Counted() {
			continue
		}
		for _, unit := range slices.Sorted(maps.Keys(r.Extra)) {
			if r.Timed() && slices.ContainsFunc(r.Metrics, func(m study.MetricResult) bool { return m.Unit == unit }) {
				continue
			}
			x := r.Extra[unit]
			lines = append(lines, fmt.Sprintf("%s: %s -> %s %s", r.Name(cells), small(x[0]), small(x[1]), unit))
		}
	}
	return lines
}

// ProgramMetric is a metric of a whole program: both sides, the change with its interval, and the class.
func ProgramMetric(m study.MetricResult) (values, change, class string) {
	change = Dash
	if m.Estimate.Launches > 0 {
		change = interval(m.Estimate)
	}
	return programValue(m.Unit, m.Baseline) + " -> " + programValue(m.Unit, m.Candidate), change, string(m.Class)
}

// programValue is a number with the unit that belongs to its metric.
func programValue(name string, x float64) string {
	switch {
	case name == "cpu" || name == "wall" || strings.HasPrefix(name, "gc-pause") || strings.HasPrefix(name, "p") && strings.Trim(name[1:], "0123456789.") == "" && len(name) > 1:
		return time.Duration(x).Round(roundTo(x)).String()
	case strings.HasPrefix(name, "peak-"):
		return small(x/(1<<20)) + " MiB"
	}
	return small(x)
}

// roundTo is the unit in which a time has four digits or fewer.
func roundTo(ns float64) time.Duration {
	unit := time.Duration(1)
	for ns >= 10000*float64(unit) {
		unit *= 10
	}
	return unit
}
