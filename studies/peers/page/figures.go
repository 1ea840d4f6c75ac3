package main

import (
	"fmt"
	"strings"
)

// figures writes a table of the benchmarks' own figures for each benchmark that
// has some: a row for each arm, a column for each unit, in each cell the baseline's
// figure, the arm's, and their ratio unless they are counts. Both figures are of
// the same comparison: the baseline's differ a little from row to row.
func (v *verdict) figures(b *strings.Builder, key string, benchmarks []string) {
	for _, bench := range benchmarks {
		var units []string
		for _, r := range v.Results {
			if r.name() == bench {
				for _, m := range r.Metrics {
					units = add(units, m.Unit)
				}
			}
		}
		if len(units) == 0 {
			continue
		}
		fmt.Fprintf(b, "\n%s, the benchmark's own figures:\n\n| %s | %s |\n|%s\n", bench, key,
			strings.Join(units, " | "), strings.Repeat("---|", 1+len(units)))
		for _, r := range v.Results {
			if r.name() != bench || len(r.Metrics) == 0 {
				continue
			}
			cells := make([]string, len(units))
			for _, m := range r.Metrics {
				for i, unit := range units {
					if unit == m.Unit {
						cells[i] = m.String()
					}
				}
			}
			fmt.Fprintf(b, "| %s | %s |\n", r.Arm, strings.Join(cells, " | "))
		}
	}
}

// String is the cell of a figure.
func (m metric) String() string {
	s := number(m.Baseline) + " -> " + number(m.Candidate)
	if m.Estimate.Launches > 0 {
		s += ": " + m.Estimate.String()
	}
	return s
}

// number prints three digits at least.
func number(x float64) string {
	switch {
	case x >= 100 || x == float64(int64(x)):
		return fmt.Sprintf("%.0f", x)
	default:
		return fmt.Sprintf("%.3g", x)
	}
}
