package note

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// story collects the claims of a source about one figure of one arm: in several benchmarks or
// cells, perhaps.
type story struct {
	claims   []study.ClaimResult
	baseline string // of their comparisons; "" if there is none
}

// stories groups the claims by what they are about, in the order of the file. A
// claim that sets two cells beside each other speaks of their quotient.
func stories(claims []study.ClaimResult, results []study.Result) []story {
	var out []story
	for _, c := range claims {
		i := slices.IndexFunc(out, func(s story) bool {
			first := s.claims[0]
			return first.Arm == c.Arm && first.Metric == c.Metric && first.Isolated == c.Isolated && (len(first.Beside) > 0) == (len(c.Beside) > 0)
		})
		if i < 0 {
			i = len(out)
			out = append(out, story{})
			if j := slices.IndexFunc(results, func(r study.Result) bool { return r.Benchmark == c.Benchmark && r.Arm == c.Arm }); j >= 0 {
				out[i].baseline = results[j].Baseline
			}
		}
		out[i].claims = append(out[i].claims, c)
	}
	return out
}

// outcomes are the ends that a claim can have, in the order in which they are
// counted.
var outcomes = []struct {
	is        study.Outcome
	one, many string
}{
	{study.Reproduced, "is reproduced", "are reproduced"},
	{study.OtherSize, "is true in direction but not in size", "are true in direction but not in size"},
	{study.Opposite, "is the opposite here", "are the opposite here"},
	{study.NotReproduced, "is not reproduced", "are not reproduced"},
	{study.NotJudgeable, "is not judgeable here", "are not judgeable here"},
}

// mostTold is how many stories the conclusion tells, which begins with what the
// author of the study put first.
const mostTold = 3

// publishedSentences say what was published and what was found here, a line for
// each story, and there, on another processor; nil: nowhere else.
func publishedSentences(all []story, there *study.Earlier) []string {
	var out []string
	for _, s := range all[:min(len(all), mostTold)] {
		text := s.told()
		if ratios := s.on(there); len(ratios) > 0 {
			text += fmt.Sprintf(". On another processor (%s, %s): %s", there.Machine.CPU, there.Measured, s.amount(ratios))
		}
		out = append(out, text)
	}
	return out
}

// on are the ratios of the same comparisons in an earlier measurement, which has
// times alone.
func (s story) on(there *study.Earlier) (ratios []float64) {
	if there == nil {
		return nil
	}
	for _, c := range s.claims {
		if c.Metric != "time" || len(c.Beside) > 0 {
			return nil
		}
		if r, ok := there.Find(study.Result{Benchmark: c.Benchmark, Arm: c.Arm, Cell: c.Cell}); ok {
			ratios = append(ratios, 1+r.Effect)
		}
	}
	return ratios
}

// told is "published: `pool` takes 2 to 3 % more time than `make`. Here: 5 % less
// time", of claims with sizes that are ratios. Of one claim, and of claims that have
// none, the source's own words stand for the first half.
func (s story) told() string {
	c := s.claims[0]
	said, here := s.said(), s.here()
	switch {
	case c.Finding == nil && len(here) == 0:
		return fmt.Sprintf("published: %s. Not judgeable here: %s", s.quoted(), cellText(words.Found(c)))
	case len(here) == 0 || len(s.claims) == 1 && c.Finding != nil && c.Finding.Class == study.Same:
		return fmt.Sprintf("published: %s. Here: %s", s.quoted(), cellText(words.Found(c)))
	case len(said) == 0 || len(s.claims) == 1:
		return fmt.Sprintf("published: %s. Here %s%s", s.quoted(), s.subject(s.amount(here)), s.open())
	}
	return fmt.Sprintf("published: %s. Here: %s%s", s.subject(s.amount(said)), s.amount(here), s.open())
}

// quoted is the first claim in its own words, with its size where they do not have
// it, and how many more there are.
func (s story) quoted() string {
	c := s.claims[0]
	text := fmt.Sprintf("%q", strings.TrimSuffix(c.Text, "."))
	if c.Size != "" && !strings.Contains(c.Text, strings.Fields(c.Size)[0]) && !strings.Contains(c.Text, c.Published) {
		text += " (" + cmp.Or(c.Published, c.Size) + ")"
	}
	if more := len(s.claims) - 1; more > 0 {
		text += " and " + words.Plural(more, "more claim", "more claims")
	}
	return text
}

// subject is "`pool` takes 5 % less time than `make`".
func (s story) subject(amount string) string {
	first := s.claims[0]
	verb, than := " takes ", " than "
	switch first.Metric {
	case "time":
	case "B/op", "allocs/op":
		verb = " allocates "
	default:
		verb = " has "
	}
	if strings.Contains(amount, "as long") || strings.Contains(amount, "as fast") || strings.Contains(amount, "as much") || strings.Contains(amount, "as often") {
		than = " as "
	}
	if strings.HasSuffix(amount, " as fast") {
		verb = " is "
	}
	text := "`" + first.Arm + "`" + verb + amount
	if s.baseline != "" {
		text += than + "`" + s.baseline + "`"
	}
	if first.Isolated {
		text += " in isolation"
	}
	if len(first.Beside) > 0 {
		text = "from one cell to the other the ratio of " + text
	}
	return text
}

// open says how many of the findings are not decided.
func (s story) open() string {
	n := 0
	for _, c := range s.claims {
		if c.Finding == nil || c.Finding.Class == study.Unresolved {
			n++
		}
	}
	switch {
	case n == 0:
		return ""
	case n == len(s.claims):
		return ", not decided"
	}
	return fmt.Sprintf(", %d of %d not decided", n, len(s.claims))
}

// outcomesOf is "Of 3 published claims 2 are reproduced and 1 is the opposite here",
// or "3 published claims are reproduced" where all end alike.
func outcomesOf(claims []study.ClaimResult) string {
	var counts []string
	all := words.Plural(len(claims), "published claim", "published claims")
	for _, o := range outcomes {
		switch n := ended(claims, o.is); n {
		case 0:
		case len(claims):
			return all + " " + words.OneOrMany(n, o.one, o.many)
		default:
			counts = append(counts, fmt.Sprintf("%d %s", n, words.OneOrMany(n, o.one, o.many)))
		}
	}
	return "Of " + all + " " + words.List(counts)
}

// ended counts the claims with an outcome.
func ended(claims []study.ClaimResult, is study.Outcome) (n int) {
	for _, c := range claims {
		if c.Outcome == is {
			n++
		}
	}
	return n
}

// name is "the time of `pool`".
func (s story) name() string {
	first := s.claims[0]
	name := fmt.Sprintf("the %s of `%s`", first.Metric, first.Arm)
	if first.Isolated {
		name += " (in isolation)"
	}
	if len(first.Beside) > 0 {
		name += ", one cell by another"
	}
	return name
}

// said are the sizes that were published, as ratios; none where a claim has none
// that is one.
func (s story) said() (ratios []float64) {
	for _, c := range s.claims {
		size, err := study.ParseSize(c.Size)
		if err != nil || size.Kind != study.SizePercent && size.Kind != study.SizeTimes {
			return nil
		}
		ratios = append(ratios, size.Value)
	}
	return ratios
}

// here are the ratios that were found; none where nothing was.
func (s story) here() (ratios []float64) {
	for _, c := range s.claims {
		if x, ok := ratioOf(c.Finding); ok {
			ratios = append(ratios, x)
		}
	}
	return ratios
}

// span is "-20.1 % to -3.4 %" of ratios, in the form of the claims; a dash of none.
func (s story) span(ratios []float64) string {
	if len(ratios) == 0 {
		return words.Dash
	}
	return words.Span(ratios, func(x float64) string { return words.ClaimRatio(s.claims[0], x) })
}

// amount puts ratios into words, in the form of the claims.
func (s story) amount(ratios []float64) string {
	size, err := study.ParseSize(s.claims[0].Size)
	return amount(s.claims[0].Metric, ratios, err == nil && size.Kind == study.SizeTimes)
}

// amount puts ratios of the arm to the baseline into words: "2 to 3 % more time",
// "4.9 times as fast", "1.6 to 8.9 times as long", "between 2 % less and 3 % more
// memory".
func amount(metric string, ratios []float64, times bool) string {
	lo, hi := slices.Min(ratios), slices.Max(ratios)
	if (lo < 1) != (hi < 1) || lo <= 0 {
		times = false // what is faster here and slower there has no one multiple
	} else if hi >= manyPercent || lo <= 1/float64(manyPercent) {
		times = true
	}
	noun, more, less, same := " "+metric, "times as much "+metric, "times less "+metric, "as much "+metric
	switch metric {
	case "time":
		noun, more, less, same = " time", "times as long", "times as fast", "as long"
	case "B/op":
		noun, more, less, same = " memory", "times as much memory", "times less memory", "as much memory"
	case "allocs/op":
		noun, more, less, same = " often", "times as often", "times less often", "as often"
	}
	side := func(x float64) (number, unit string) {
		switch change := strings.TrimLeft(words.Fine(x-1), "+-"); {
		case times && x >= 1:
			return words.Multiple(x), more
		case times:
			return words.Multiple(1 / x), less
		case x >= 1:
			return change, "% more" + noun
		default:
			return change, "% less" + noun
		}
	}
	a, unit := side(lo)
	b, unit2 := side(hi)
	switch {
	case a == "0.00" && b == "0.00":
		return same
	case a == b && unit == unit2:
		return a + " " + unit
	case unit != unit2:
		return fmt.Sprintf("between %s %s and %s %s", a, unit, b, unit2)
	case lo < 1: // the smaller effect first
		a, b = b, a
	}
	return fmt.Sprintf("%s to %s %s", a, b, unit)
}

// claimsTable sets what was published beside what was found, a row for each
// figure of an arm. It is left out where the first sentence says all of it, and where
// most rows would have one claim: the claims stand in the note's summary, each with
// its interval.
func claimsTable(claims int, all []story) string {
	if len(all) < 2 || claims < 2*len(all) {
		return ""
	}
	t := words.Grid{Head: []string{"published on", "claims", "published", "found here", "outcome"}}
	for _, s := range all {
		var ends []string
		for _, o := range outcomes {
			if n := ended(s.claims, o.is); n > 0 {
				ends = append(ends, fmt.Sprintf("%d %s", n, o.is))
			}
		}
		t.Add(s.name(), fmt.Sprint(len(s.claims)), s.span(s.said()), s.span(s.here()), strings.Join(ends, "; "))
	}
	return markdown(t)
}

// ratioOf returns the arm's figure divided by the baseline's.
func ratioOf(f *study.ClaimFinding) (ratio float64, ok bool) {
	switch {
	case f == nil:
		return 0, false
	case f.Estimate != nil:
		return 1 + f.Estimate.Effect, true
	case f.Counter != nil && f.Counter.Baseline > 0:
		return f.Counter.Candidate / f.Counter.Baseline, true
	}
	return 0, false
}

// claimSection counts what became of the claims, and sets what was published beside
// what was found.
func claimSection(claims []study.ClaimResult) string {
	t := words.Grid{Head: []string{"claim", "published", "found here", "outcome"}}
	for _, c := range claims {
		t.Add(c.Text, words.Published(c), words.Found(c), words.Outcome(c))
	}
	return outcomesOf(claims) + ":\n\n" + markdown(t)
}
