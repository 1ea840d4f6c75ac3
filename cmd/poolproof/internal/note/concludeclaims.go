package note

import (
	"fmt"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// story collects the claims of a source about one figure of one arm: in several benchmarks or
// cells, perhaps.
type story struct{ claims []study.ClaimResult }

// stories groups the claims by what they are about, in the order of the file.
func stories(claims []study.ClaimResult) []story {
	var out []story
	for _, c := range claims {
		i := slices.IndexFunc(out, func(s story) bool {
			first := s.claims[0]
			return first.Arm == c.Arm && first.Metric == c.Metric && first.Isolated == c.Isolated
		})
		if i < 0 {
			i = len(out)
			out = append(out, story{})
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

// publishedSentence counts what became of the claims and tells the first of them,
// which the author of the study put first, with its figures.
func publishedSentence(claims []study.ClaimResult, all []story) []string {
	switch {
	case len(all) == 0:
		return nil
	case len(claims) == 1:
		return []string{"published: " + all[0].told()}
	case len(all) == 1:
		return []string{counted(claims, "published claim", " on "+all[0].name()) + all[0].sizes()}
	}
	text := counted(claims, "published claim", "")
	if first := all[0]; len(first.claims) == 1 {
		return []string{text + "; the first: " + first.told()}
	} else if sizes := first.sizes(); sizes != "" {
		return []string{text + "; the first, on " + first.name() + sizes}
	}
	return []string{text}
}

// counted is "of 3 published claims 2 are reproduced and 1 is the opposite here",
// or "3 published claims are reproduced" where all end alike. about stands after
// the name of the claims.
func counted(claims []study.ClaimResult, name, about string) string {
	var counts []string
	all := words.Plural(len(claims), name, name+"s") + about
	for _, o := range outcomes {
		n := 0
		for _, c := range claims {
			if c.Outcome == o.is {
				n++
			}
		}
		switch n {
		case 0:
		case len(claims):
			return all + " " + words.OneOrMany(n, o.one, o.many)
		default:
			counts = append(counts, fmt.Sprintf("%d %s", n, words.OneOrMany(n, o.one, o.many)))
		}
	}
	return "of " + all + " " + words.List(counts)
}

// told is `"a pool is 12 % slower" is the opposite here: time -6.4 % [-7.7, -5.0]`,
// of a story of one claim.
func (s story) told() string {
	c := s.claims[0]
	is := "is " + string(c.Outcome)
	for _, o := range outcomes {
		if o.is == c.Outcome {
			is = o.one
		}
	}
	if c.Isolated {
		is += " (in isolation)"
	}
	size := ""
	if c.Size != "" && !strings.Contains(c.Text, strings.Fields(c.Size)[0]) && !strings.Contains(c.Text, c.Published) {
		size = " (" + words.Published(c) + ")"
	}
	return fmt.Sprintf("%q%s %s: %s", strings.TrimSuffix(c.Text, "."), size, is, cellText(words.Found(c)))
}

// name is "the time of `pool`".
func (s story) name() string {
	first := s.claims[0]
	name := fmt.Sprintf("the %s of `%s`", first.Metric, first.Arm)
	if first.Isolated {
		name += " (in isolation)"
	}
	return name
}

// sizes is ": published 12 % more, found 1 % to 2 % more", without the first where
// the claims have no size that is a ratio; "" where nothing was found.
func (s story) sizes() string {
	said, here := s.said(), s.here()
	switch {
	case here == "":
		return ""
	case said == "":
		return ": found " + here
	}
	return ": published " + said + ", found " + here
}

// said are the smallest and the largest size that was published; "" where a claim
// has none that is a ratio.
func (s story) said() string {
	var was []float64
	for _, c := range s.claims {
		size, err := study.ParseSize(c.Size)
		if err != nil || size.Kind != study.SizePercent && size.Kind != study.SizeTimes {
			return ""
		}
		was = append(was, size.Value)
	}
	return words.Span(was, s.ratio)
}

// here are the smallest and the largest that were found; "" where nothing was.
func (s story) here() string {
	var is []float64
	for _, c := range s.claims {
		if x, ok := ratioOf(c.Finding); ok {
			is = append(is, x)
		}
	}
	if len(is) == 0 {
		return ""
	}
	return words.Span(is, s.ratio)
}

func (s story) ratio(x float64) string { return words.ClaimRatio(s.claims[0], x) }

// claimsTable sets what was published beside what was found, a row for each
// figure of an arm. It is left out where the first sentence says all of it, and where
// most rows would have one claim: the claims stand in the note's summary, each with
// its interval.
func claimsTable(claims int, all []story) string {
	if len(all) < 2 || claims < 2*len(all) {
		return ""
	}
	t := mdTable{Head: []string{"published on", "claims", "published", "found here", "outcome"}}
	for _, s := range all {
		var ends []string
		for _, o := range outcomes {
			n := 0
			for _, c := range s.claims {
				if c.Outcome == o.is {
					n++
				}
			}
			if n > 0 {
				ends = append(ends, fmt.Sprintf("%d %s", n, o.is))
			}
		}
		t.add(s.name(), fmt.Sprint(len(s.claims)), words.OrDash(s.said()), words.OrDash(s.here()), strings.Join(ends, "; "))
	}
	return t.String()
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
