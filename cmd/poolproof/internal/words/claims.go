package words

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Published is the figure as published and, where the number that it is
// compared by is not in it, that.
func Published(c study.ClaimResult) string {
	switch {
	case c.NoSize != "" && c.Published == "":
		return "no size: " + c.NoSize
	case c.NoSize != "":
		return c.Published + " (no size: " + c.NoSize + ")"
	case c.Size == "":
		return OrDash(c.Published)
	case c.Published == "":
		return c.Size
	case strings.Contains(c.Published, strings.Fields(c.Size)[0]) || strings.Contains(c.Published, strings.TrimSuffix(strings.Fields(c.Size)[0], "x")+" times"):
		return c.Published
	}
	return c.Published + " (" + c.Size + ")"
}

// Outcome says what became of a claim.
func Outcome(c study.ClaimResult) string {
	s := string(c.Outcome)
	if c.Outcome == study.Reproduced {
		switch {
		case c.Size == "":
			s += " (direction; the claim has no size)"
		case c.Within != "":
			s += " (within " + c.Within + ")"
		}
	}
	if c.Isolated {
		s += " (isolated)"
	}
	return s
}

// Found is our figure, or why there is none.
func Found(c study.ClaimResult) string {
	f := c.Finding
	switch {
	case f == nil && c.Because != nil:
		return sentence(study.Result{Cell: c.Cell}, *c.Because)
	case f == nil:
		return Dash
	}
	parts := []string{c.Metric}
	if f.Counter != nil {
		parts = append(parts, number(f.Counter.Baseline)+" -> "+number(f.Counter.Candidate))
	}
	switch {
	case f.Estimate != nil:
		parts = append(parts, claimEstimate(c, *f.Estimate))
	case f.Counter.Baseline > 0 && f.Counter.Candidate != f.Counter.Baseline:
		parts = append(parts, "("+ClaimRatio(c, f.Counter.Candidate/f.Counter.Baseline)+")")
	}
	if f.Class == study.Unresolved || f.Class == study.NotWorse {
		parts = append(parts, "("+string(f.Class)+")")
	}
	parts = append(parts, c.Cell...)
	if len(c.Beside) > 0 {
		parts = append(append(parts, "beside"), c.Beside...)
	}
	return strings.Join(parts, " ")
}

// claimEstimate is an estimate in the terms of the claim's size.
func claimEstimate(c study.ClaimResult, e study.Estimate) string {
	if e.Launches < 2 {
		return ClaimRatio(c, 1+e.Effect)
	}
	size, err := study.ParseSize(c.Size)
	if err != nil || size.Kind != study.SizeTimes {
		strip := func(x float64) string { return strings.TrimSuffix(ClaimRatio(c, 1+x), " %") }
		return fmt.Sprintf("%s [%s, %s]", ClaimRatio(c, 1+e.Effect), strip(e.Lo), strip(e.Hi))
	}
	if e.Lo > -1 && (e.Lo > 0) == (e.Hi > 0) { // both ends on one side: said once
		lo, hi := max(1+e.Lo, 1/(1+e.Lo)), max(1+e.Hi, 1/(1+e.Hi))
		return fmt.Sprintf("%s [%s, %s]", ClaimRatio(c, 1+e.Effect), Multiple(min(lo, hi)), Multiple(max(lo, hi)))
	}
	return fmt.Sprintf("%s [%s, %s]", ClaimRatio(c, 1+e.Effect), ClaimRatio(c, 1+e.Lo), ClaimRatio(c, 1+e.Hi))
}

// ClaimRatio writes the ratio of the arm to the baseline as the claim does: as a
// multiple where it says "78x less", else as a change in percent, with as many
// digits as were published.
func ClaimRatio(c study.ClaimResult, ratio float64) string {
	size, err := study.ParseSize(c.Size)
	switch {
	case err != nil || size.Kind == study.SizeTimes && ratio <= 0:
		return Change(ratio - 1)
	case size.Kind == study.SizeTimes && ratio < 1:
		return Multiple(1/ratio) + "x less"
	case size.Kind == study.SizeTimes:
		return Multiple(ratio) + "x more"
	case size.Kind == study.SizePercent && size.Digits > 1:
		return fmt.Sprintf("%+.*f %%", size.Digits, 100*(ratio-1))
	}
	return Change(ratio - 1)
}

// Multiple writes how many times.
func Multiple(x float64) string {
	digits := 2
	if x >= 10 {
		digits = 0
	}
	return strconv.FormatFloat(x, 'f', digits, 64)
}

// claimSentence says why a claim has no finding.
func claimSentence(r study.Result, why study.Reason) string {
	switch why.Code {
	case study.ClaimNotCompared:
		return "the plan does not compare this arm on this benchmark"
	case study.ClaimNoCell:
		return "the plan has no cell " + strings.Join(r.Cell, " ")
	case study.ClaimNoVerdict:
		s := "the comparison is " + why.Text
		if len(why.Because) > 0 {
			s += ": " + sentence(r, why.Because[0])
		}
		return s
	case study.ClaimNotMeasured:
		return why.Unit + " was not measured"
	}
	return ""
}

// Apart says how the effects in cells with builds of their own differ.
func Apart(v study.VerdictFile) (lines []string) {
	result := func(id string) study.Result {
		return v.Results[slices.IndexFunc(v.Results, func(r study.Result) bool { return r.Comparison == id })]
	}
	for _, d := range v.Apart {
		a, b := result(d.From), result(d.To)
		word := "these cannot be told apart"
		if d.Differs() {
			word = "these differ"
		}
		lines = append(lines, fmt.Sprintf("%s, %s against %s: time %s with %s, %s with %s; %s: %s (%s to %s)",
			a.Benchmark, a.Arm, a.Baseline, Change(a.Deciding.Effect), builds(a), Change(b.Deciding.Effect), builds(b),
			word, Change(d.Effect), Change(d.Lo), Change(d.Hi)))
	}
	return lines
}

func builds(r study.Result) string {
	settings, _ := study.Settings(r.Cell)
	return strings.Join(settings, " ")
}
