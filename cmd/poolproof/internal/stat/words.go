package stat

import (
	"fmt"
	"math"
	"strconv"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// metricWords says what became of a figure.
func metricWords(f study.MetricResult) string {
	switch {
	case f.Why != nil:
		return string(f.Why.Code)
	case f.Exact:
		return counterWords(f.Unit, study.Counter{Old: f.Old, New: f.New, Equal: f.Class == study.Same, Unsteady: f.Class == study.Unresolved})
	case f.Estimate.Launches == 0:
		return fmt.Sprintf("%s is %s: %s -> %s", f.Unit, f.Class, number(f.Old), number(f.New))
	case f.Estimate.Launches < 2:
		return fmt.Sprintf("%s is %s: %s (1 launch)", f.Unit, f.Class, relative(f.Estimate.Effect))
	}
	return fmt.Sprintf("%s is %s: %s, %d launches", f.Unit, f.Class, intervalWords(f.Estimate), f.Estimate.Launches)
}

// intervalWords gives an estimate with its interval.
func intervalWords(e study.Estimate) string {
	return fmt.Sprintf("%s (%s to %s)", relative(e.Effect), relative(e.Lo), relative(e.Hi))
}

// estimateWords gives an estimate with its interval and origin.
func estimateWords(e study.Estimate, metric string) string {
	if e.Launches < 2 {
		return fmt.Sprintf("%s (%s, %d launch)", relative(e.Effect), metric, e.Launches)
	}
	return fmt.Sprintf("%s (%s to %s; %s, %d launches)", relative(e.Effect), relative(e.Lo), relative(e.Hi), metric, e.Launches)
}

// counterWords gives both sides of an exact counter.
func counterWords(name string, c study.Counter) string {
	if c.Equal {
		if number(c.Old) == number(c.New) {
			return fmt.Sprintf("%s is %s", name, number(c.Old))
		}
		return fmt.Sprintf("%s is %s and %s, equal within the tolerance", name, number(c.Old), number(c.New))
	}
	verb := "falls"
	if c.New > c.Old {
		verb = "rises"
	}
	s := fmt.Sprintf("%s %s from %s to %s", name, verb, number(c.Old), number(c.New))
	if c.Old > 0 {
		s += fmt.Sprintf(" (%s)", relative(c.New/c.Old-1))
	}
	if c.Unsteady {
		s += ", which the launches do not agree on"
	}
	return s
}

// relative writes a relative change.
func relative(x float64) string {
	s := fmt.Sprintf("%+.1f %%", 100*x)
	if s == "-0.0 %" || s == "+0.0 %" {
		return "0.0 %"
	}
	return s
}

// number writes a counter with the digits that matter.
func number(x float64) string {
	digits := 0
	switch {
	case x == math.Trunc(x) || x >= 10000:
	case x >= 1:
		digits = 2
	case x > 0 && x < 0.001:
		return strconv.FormatFloat(x, 'g', 2, 64)
	default:
		digits = 4
	}
	return strconv.FormatFloat(x, 'f', digits, 64)
}
