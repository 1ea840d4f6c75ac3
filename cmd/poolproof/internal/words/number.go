package words

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/perf/benchunit"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Dash stands for a number that there is none of.
const Dash = "-"

// Percent renders a relative change as "-14.6" or "+5.9", without the sign of
// percent.
func Percent(x float64) string {
	if x > 1e8 || math.IsInf(100*x, 0) { // an interval without a bound, or as good as without
		return "+∞"
	}
	digits := 1
	if math.Abs(x) >= 10 { // beyond 1000 % a tenth says nothing
		digits = 0
	}
	s := strconv.FormatFloat(100*x, 'f', digits, 64)
	switch {
	case strings.Trim(s, "-0.") == "":
		return "0.0"
	case x > 0:
		return "+" + s
	}
	return s
}

// Fine is Percent with two digits below 1 %.
func Fine(x float64) string {
	if math.Abs(x) >= 0.01 {
		return Percent(x)
	}
	return strconv.FormatFloat(100*x, 'f', 2, 64)
}

// share renders a part of a whole, or a width, as "2.1 %".
func share(x float64) string {
	return strconv.FormatFloat(100*x, 'f', 1, 64) + " %"
}

// fine is share for what is mostly below 1 %.
func fine(x float64) string {
	return strconv.FormatFloat(100*x, 'f', 2, 64) + " %"
}

// interval renders an estimate as "-14.6 % [-28.0, -4.5]". One launch has no
// interval: its two ends would look like certainty. Two have one that reaches from
// nothing to a million, before the rule looks at any.
func interval(e study.Estimate) string {
	switch e.Launches {
	case 0:
		return Dash
	case 1:
		return Percent(e.Effect) + " % (one launch)"
	case 2:
		return Percent(e.Effect) + " % (two launches)"
	}
	return fmt.Sprintf("%s %% [%s, %s]", Percent(e.Effect), Percent(e.Lo), Percent(e.Hi))
}

// count renders a count per operation: "1,532", "0.25".
func count(x float64) string {
	digits := 0
	switch a := math.Abs(x); {
	case math.Abs(x-math.Round(x)) < 0.005 || a >= 100:
	case a >= 10:
		digits = 1
	default:
		digits = 2
	}
	s := strconv.FormatFloat(x, 'f', digits, 64)
	sign := ""
	if x < 0 {
		s, sign = strings.TrimPrefix(s, "-"), "-"
	}
	whole, _, _ := strings.Cut(s, ".")
	return sign + thousands(whole) + s[len(whole):]
}

// thousands puts commas into a row of digits.
func thousands(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Times renders two times per operation, in nanoseconds, in one unit with at
// least three digits: "212.3 µs -> 170.7 µs".
func Times(baseline, candidate float64) string {
	if baseline < cycle || candidate < cycle {
		return aboutCycle(baseline) + " -> " + aboutCycle(candidate)
	}
	s := benchunit.CommonScale([]float64{baseline * 1e-9, candidate * 1e-9}, benchunit.Decimal)
	unit := " " + s.Prefix + "s"
	s.Prefix = unit
	return s.Format(baseline*1e-9) + " -> " + s.Format(candidate*1e-9)
}

// cycle is less than one clock of a processor takes, in nanoseconds.
const cycle = 0.1

// aboutCycle renders a time beside one of less than a cycle, whose digits would
// mean nothing.
func aboutCycle(ns float64) string {
	if ns < cycle {
		return "<0.1 ns"
	}
	s := benchunit.CommonScale([]float64{ns * 1e-9}, benchunit.Decimal)
	s.Prefix = " " + s.Prefix + "s"
	return s.Format(ns * 1e-9)
}

// Duration renders a measuring time as a person would say it.
func Duration(d study.Duration) string {
	switch t := time.Duration(d); {
	case t >= 10*time.Second:
		return t.Round(time.Second).String()
	case t >= time.Second:
		return t.Round(100 * time.Millisecond).String()
	default:
		return t.Round(10 * time.Microsecond).String()
	}
}

// Plural is "1 launch", "2 launches" for n and "launch", "launches".
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(strconv.Itoa(n)) + " " + many
}

// Change renders a relative change in running text: "+5.9 %".
func Change(x float64) string { return Percent(x) + " %" }

// number renders a counter in running text with the digits that matter.
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

// halfWidth is half the length of the interval, as a relative change.
func halfWidth(e study.Estimate) float64 {
	return math.Expm1(math.Abs(math.Log1p(e.Hi)-math.Log1p(e.Lo)) / 2)
}

// CounterRatio is by what a counter changes. It says nothing where the baseline
// has next to none: a stray allocation of the runtime is not one an operation.
func CounterRatio(c study.Counter) (ratio float64, ok bool) {
	if c.Baseline < 1 {
		return 0, false
	}
	return c.Candidate / c.Baseline, true
}

// Span is "a" or "a to b", from the smallest to the largest; "1.8x to 2.1x more"
// where both are more.
func Span(xs []float64, words func(float64) string) string {
	lo, hi := words(slices.Min(xs)), words(slices.Max(xs))
	if lo == hi {
		return lo
	}
	for _, direction := range []string{" more", " less"} {
		if strings.HasSuffix(hi, direction) {
			lo = strings.TrimSuffix(lo, direction)
		}
	}
	return lo + " to " + hi
}

// OneOrMany chooses the form of a word.
func OneOrMany(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// List is "a", "a and b" or "a, b and c".
func List(parts []string) string { return enumerated(parts, " and ") }

// Alternatives is "A, B or C".
func Alternatives(vs []study.Verdict) string { return enumerated(vs, " or ") }

func enumerated[S ~string](parts []S, last string) (text string) {
	for i, part := range parts {
		switch {
		case i == 0:
		case i == len(parts)-1:
			text += last
		default:
			text += ", "
		}
		text += string(part)
	}
	return text
}
