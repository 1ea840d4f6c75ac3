package noise

import (
	"fmt"
	"io"
	"strings"
)

// Table writes measurements as a Markdown table, and what was reported below it.
func Table(w io.Writer, all []Measurement) {
	fmt.Fprintln(w, "| module | version | kLoC | CPU s | error | judged true / by design / harmless / false | warning | judged likewise | audit | error in tests | not analysed |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|---|")
	lines, falses, errors := 0, 0, 0
	for _, m := range all {
		fmt.Fprintf(w, "| %s | %s | %.1f | %.1f | %d | %s | %d | %s | %d | %d | %d |\n",
			m.Name, m.Version, float64(m.Lines)/1000, m.CPU.Seconds(), m.Count("error", false), m.judged("error"),
			m.Count("warning", false), m.judged("warning"), m.Count("audit", false), m.Count("error", true), len(m.Failures))
		lines += m.Lines
		falses += m.False()
		errors += m.Count("error", false)
	}
	fmt.Fprintf(w, "\n%.0f kLoC, %d reports of the error tier, %d of them false: %s.\n", float64(lines)/1000, errors, falses, rate(falses, lines))
}

// rate says how often a false report comes.
func rate(falses, lines int) string {
	if falses == 0 {
		return fmt.Sprintf("none in %.0f kLoC", float64(lines)/1000)
	}
	return fmt.Sprintf("1 in %.0f kLoC", float64(lines)/1000/float64(falses))
}

// judged counts the judgements of reports of a tier in shipped code.
func (m Measurement) judged(tier string) string {
	count := make(map[string]int)
	for _, f := range m.Findings {
		if f.Tier == tier && !f.Test() && f.Review != nil {
			count[f.Review.Judgement]++
		}
	}
	return fmt.Sprintf("%d / %d / %d / %d", count[True], count[ByDesign], count[Harmless], count[False])
}

// List writes every report of the tiers as a Markdown table, those of the error
// tier first, with what was found by reading the code.
func List(w io.Writer, all []Measurement, tiers ...string) {
	fmt.Fprintln(w, "| tier | code | module | place | judgement | why |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|")
	for _, tier := range tiers {
		for _, m := range all {
			for _, f := range m.Findings {
				if f.Tier != tier {
					continue
				}
				judgement, why := "not read", ""
				if f.Review != nil {
					judgement, why = f.Review.Judgement, strings.ReplaceAll(f.Review.Why, "|", `\|`)
				}
				fmt.Fprintf(w, "| %s | %s | %s | %s:%d | %s | %s |\n", f.Tier, f.Code, m.Name, f.File, f.Line, judgement, why)
			}
		}
	}
}
