package stat

import (
	"cmp"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Variants judges the variants of a KindSite question, the best first. Those that nothing is
// known of come last, and sites without any variant after them.
func Variants(v study.VerdictFile) []study.VariantAnswer {
	var all []study.VariantAnswer
	for _, listed := range v.Plan.Variants {
		a := study.VariantAnswer{ListedVariant: listed}
		var alone []bool
		for i, c := range v.Plan.Comparisons {
			if c.Variant == listed.ID && i < len(v.Results) {
				a.Results, alone = append(a.Results, v.Results[i]), append(alone, c.Isolated)
			}
		}
		a.Verdict, a.Isolated, _ = answered(a.Results, alone)
		all = append(all, a)
	}
	slices.SortStableFunc(all, func(a, b study.VariantAnswer) int {
		return cmp.Or(cmp.Compare(worth(a), worth(b)), cmp.Compare(meanChange(a.Results), meanChange(b.Results)))
	})
	return all
}

// worth orders variants, from one that pays.
func worth(a study.VariantAnswer) int {
	switch {
	case a.None != "":
		return 100
	case a.Verdict == study.Positive && !a.Isolated:
		return 0
	}
	return 1 + slices.Index([]study.Verdict{
		study.Positive, study.TradeOff, study.Inconclusive, study.NoChange, study.Negative, study.Unsafe, study.Invalid, study.NotMeasured, "",
	}, a.Verdict)
}
