package words

import (
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

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
