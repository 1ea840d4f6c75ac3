package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// claimSection sets what was published beside what was found.
func claimSection(claims []study.ClaimResult) string {
	t := mdTable{head: []string{"claim", "published", "found here", "outcome"}}
	for _, c := range claims {
		t.add(c.Text, published(c), found(c), outcome(c))
	}
	return "Published claims:\n\n" + t.String()
}

// published is the figure as published and, where the number that it is
// compared by is not in it, that.
func published(c study.ClaimResult) string {
	switch {
	case c.NoSize != "" && c.Published == "":
		return "no size: " + c.NoSize
	case c.NoSize != "":
		return c.Published + " (no size: " + c.NoSize + ")"
	case c.Size == "":
		return orDash(c.Published)
	case c.Published == "":
		return c.Size
	case strings.Contains(c.Published, strings.Fields(c.Size)[0]) || strings.Contains(c.Published, strings.TrimSuffix(strings.Fields(c.Size)[0], "x")+" times"):
		return c.Published
	}
	return c.Published + " (" + c.Size + ")"
}

// outcome says what became of a claim.
func outcome(c study.ClaimResult) string {
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

// found is our figure, or why there is none.
func found(c study.ClaimResult) string {
	f := c.Finding
	switch {
	case f == nil && c.Because != nil:
		return sentence(study.Result{Cell: c.Cell}, *c.Because)
	case f == nil:
		return dash
	}
	parts := []string{c.Metric}
	if f.Counter != nil {
		parts = append(parts, number(f.Counter.Baseline)+" -> "+number(f.Counter.Candidate))
	}
	switch {
	case f.Estimate != nil:
		parts = append(parts, claimEstimate(c, *f.Estimate))
	case f.Counter.Baseline > 0 && f.Counter.Candidate != f.Counter.Baseline:
		parts = append(parts, "("+claimRatio(c, f.Counter.Candidate/f.Counter.Baseline)+")")
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
		return claimRatio(c, 1+e.Effect)
	}
	size, err := study.ParseSize(c.Size)
	if err != nil || size.Kind != study.SizeTimes {
		strip := func(x float64) string { return strings.TrimSuffix(claimRatio(c, 1+x), " %") }
		return fmt.Sprintf("%s [%s, %s]", claimRatio(c, 1+e.Effect), strip(e.Lo), strip(e.Hi))
	}
	if e.Lo > -1 && (e.Lo > 0) == (e.Hi > 0) { // both ends on one side: said once
		lo, hi := max(1+e.Lo, 1/(1+e.Lo)), max(1+e.Hi, 1/(1+e.Hi))
		return fmt.Sprintf("%s [%s, %s]", claimRatio(c, 1+e.Effect), multiple(min(lo, hi)), multiple(max(lo, hi)))
	}
	return fmt.Sprintf("%s [%s, %s]", claimRatio(c, 1+e.Effect), claimRatio(c, 1+e.Lo), claimRatio(c, 1+e.Hi))
}

// claimRatio writes the ratio of the arm to the baseline as the claim does: as a
// multiple where it says "78x less", else as a change in percent, with as many
// digits as were published.
func claimRatio(c study.ClaimResult, ratio float64) string {
	size, err := study.ParseSize(c.Size)
	switch {
	case err != nil || size.Kind == study.SizeTimes && ratio <= 0:
		return change(ratio - 1)
	case size.Kind == study.SizeTimes && ratio < 1:
		return multiple(1/ratio) + "x less"
	case size.Kind == study.SizeTimes:
		return multiple(ratio) + "x more"
	case size.Kind == study.SizePercent && size.Digits > 1:
		return fmt.Sprintf("%+.*f %%", size.Digits, 100*(ratio-1))
	}
	return change(ratio - 1)
}

// multiple writes how many times.
func multiple(x float64) string {
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
