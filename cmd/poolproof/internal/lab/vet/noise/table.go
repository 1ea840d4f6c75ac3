package noise

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Table writes measurements as a Markdown table, and what was reported below it.
func Table(w io.Writer, all []Measurement) {
	fmt.Fprintln(w, "| module | version | kLoC | CPU s | error | judged true / by design / harmless / false | warning | judged likewise | audit | error in tests | not analysed |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|---|")
	for _, m := range all {
		fmt.Fprintf(w, "| %s | %s | %.1f | %s | %d | %s | %d | %s | %d | %d | %d |\n",
			m.Name, m.Version, float64(m.Lines)/1000, seconds(m.CPU), m.Count("error", false), m.judged("error"),
			m.Count("warning", false), m.judged("warning"), m.Count("audit", false), m.Count("error", true), len(m.Failures))
	}
	fmt.Fprintln(w)
	total(w, all, func(m Measurement) bool { return m.Path != "" }, "")
	total(w, all, func(m Measurement) bool { return m.Path == "" }, "The standard library, counted apart: ")
}

// total says in a sentence what was reported in some modules, and how much of it is a
// false alarm. The lines of a module of which a part could not be built do not count, its
// reports do. Nor do the lines of generated files, where they were counted.
func total(w io.Writer, all []Measurement, of func(Measurement) bool, begin string) {
	modules, whole, lines, generated, errors, falseErrors, warnings, falseWarnings := 0, 0, 0, 0, 0, 0, 0, 0
	for _, m := range all {
		if !of(m) {
			continue
		}
		modules++
		if len(m.Failures) == 0 {
			whole++
			lines += m.Lines - m.Generated
			generated += m.Generated
		}
		errors, falseErrors = errors+m.Count("error", false), falseErrors+m.False("error")
		warnings, falseWarnings = warnings+m.Count("warning", false), falseWarnings+m.False("warning")
	}
	if modules == 0 {
		return
	}
	apart := ""
	if generated > 0 {
		apart = fmt.Sprintf(" beside %.0f kLoC of generated code, in which nothing is reported", float64(generated)/1000)
	}
	fmt.Fprintf(w, "%s%d modules, %d of them as a whole: %.0f kLoC%s. Error tier: %d reports, %d false alarms, %s. Warnings: %d, %d false alarms%s.\n",
		begin, modules, whole, float64(lines)/1000, apart, errors, falseErrors, rate(falseErrors, lines), warnings, falseWarnings, share(warnings-falseWarnings, warnings))
}

// share is how many of all are no false alarms, in per cent, "" of none: true, or by
// design.
func share(right, all int) string {
	if all == 0 {
		return ""
	}
	return fmt.Sprintf(", %.0f %% no false alarms", 100*float64(right)/float64(all))
}

// seconds is a time in seconds, a dash where it was not measured.
func seconds(d time.Duration) string {
	if d == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", d.Seconds())
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
