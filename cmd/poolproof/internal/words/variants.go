package words

import (
	"fmt"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Variants is the table of a KindSite question: a line a variant.
func Variants(answers []study.VariantAnswer) Grid {
	g := Grid{Head: []string{"variant", "at", "evidence", "passed", "verdict", "benchmarks", "B/op", "allocs/op"}}
	for _, a := range answers {
		if a.None != "" {
			continue
		}
		g.Add(a.Name, a.Site, a.Evidence, OrDash(strings.Join(a.Passed, " ")), variantVerdict(a), fmt.Sprint(a.Reached),
			among(a.Results, signed, func(r study.Result) (float64, bool) { return -saved(r.Bytes), r.Launches > 0 }),
			among(a.Results, signed, func(r study.Result) (float64, bool) { return -saved(r.Allocs), r.Launches > 0 }))
	}
	return g
}

// VariantNotes says of variants why they are not safe, or remove nothing, and of sites why
// nothing can be tried there.
func VariantNotes(answers []study.VariantAnswer) (lines []string) {
	for _, a := range answers {
		switch {
		case a.None != "":
			lines = append(lines, a.Site+": "+a.None)
		case a.Unsafe != "":
			lines = append(lines, a.ID+" is UNSAFE: "+a.Unsafe)
		case a.Unbuilt != "" && a.Evidence != "user":
			lines = append(lines, a.ID+" is no variant to apply, and has no diff; please report it: "+a.Unbuilt)
		case a.Verdict == study.Unsafe || a.Verdict == study.Invalid || a.Verdict == study.NotMeasured:
			if len(a.Results) > 0 && len(a.Results[0].Reasons) > 0 {
				lines = append(lines, a.ID+": "+sentence(a.Results[0], a.Results[0].Reasons[0]))
			}
		}
		if len(a.Left) > 0 {
			lines = append(lines, a.ID+": there was no time for "+strings.Join(a.Left, ", "))
		}
		if a.Remark != "" {
			lines = append(lines, a.ID+": "+a.Remark)
		}
	}
	return lines
}

// VariantPatches are the commands that apply the variants which pay.
func VariantPatches(answers []study.VariantAnswer) (lines []string) {
	for _, a := range answers {
		if a.Apply != "" && a.Evidence != "user" && a.Verdict == study.Positive {
			left := ""
			if len(a.Left) > 0 {
				left = ", for which there was no time for " + strings.Join(a.Left, ", ")
			}
			lines = append(lines, a.Name+left+": "+a.Apply)
		}
	}
	return lines
}

func variantVerdict(a study.VariantAnswer) string {
	switch {
	case a.Reached == 0:
		return "not reached"
	case a.Verdict == "":
		return Dash
	case a.Isolated:
		return string(a.Verdict) + " (isolated)"
	}
	return string(a.Verdict)
}

// signed is a whole number with its sign.
func signed(x float64) string {
	if x > 0 {
		return "+" + count(x)
	}
	return count(x)
}
