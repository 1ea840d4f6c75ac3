package note

import (
	"fmt"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat/rank"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// conclude says what a run found, first in a few short sentences: what was published
// and what was found, which arms pay, and what stays open. Tables of the claims and
// of the arms follow, with the smallest and the largest effect, and last where an
// arm that pays in some benchmarks does so. All of it is made of the verdicts, the
// claims and nothing else, so that no author's wish is in it. The study file may be
// younger than the result; "" means that nothing was compared.
func conclude(v study.VerdictFile, earlier ...study.Earlier) string {
	if len(v.Results) == 0 || v.Plan.Kind == study.KindAA {
		return ""
	}
	file := words.FileOf(v)
	claims, arms := stories(v.Claims, v.Results), rank.Standings(v.Results)
	sentences := publishedSentences(claims, elsewhere(v, earlier))
	sentences = append(sentences, armSentence(arms)...)
	sentences = append(sentences, openParts(file, v.Results, len(v.Claims))...)
	for i, p := range sentences {
		sentences[i] = strings.ToUpper(p[:1]) + p[1:] + "."
	}
	parts := []string{strings.Join(sentences, "\n")}
	for _, p := range []string{claimsTable(len(v.Claims), claims), armsTable(file, arms), whereArmsPay(arms)} {
		if p != "" {
			parts = append(parts, strings.TrimSuffix(p, "\n"))
		}
	}
	return strings.Join(parts, "\n\n")
}

// openParts says what the sentences before do not speak of.
func openParts(file study.File, comparisons []study.Result, claims int) []string {
	count := map[study.Verdict]int{}
	for _, c := range comparisons {
		count[c.Verdict]++
	}
	var open []string
	for _, v := range []struct {
		verdict   study.Verdict
		one, many string
	}{
		{study.Inconclusive, "is open", "are open"},
		{study.DiffersByMachine, "differs by machine", "differ by machine"},
		{study.NotMeasured, "is not measured", "are not measured"},
		{study.Invalid, "is INVALID", "are INVALID"},
		{study.Unsafe, "is UNSAFE", "are UNSAFE"},
	} {
		switch n := count[v.verdict]; {
		case n == 0:
		case n == len(comparisons):
			open = append(open, words.OneOrMany(n, "the comparison "+v.one, fmt.Sprintf("all %d comparisons %s", n, v.many)))
		default:
			open = append(open, fmt.Sprintf("%d %s", n, words.OneOrMany(n, v.one, v.many)))
		}
	}
	var parts []string
	switch {
	case len(open) == 1 && len(count) == 1:
		if claims == 0 { // else the claims say so
			parts = open
		}
	case len(open) > 0:
		parts = append(parts, fmt.Sprintf("of %d comparisons %s", len(comparisons), words.List(open)))
	}
	if later := younger(file, comparisons); len(later) > 0 {
		parts = append(parts, "this measurement is older than "+words.List(later)+" of the study file")
	}
	return parts
}

// younger lists the arms and benchmarks of a study file that a result does not
// have.
func younger(file study.File, comparisons []study.Result) []string {
	var arms, benchmarks []string
	for _, a := range file.Arms {
		if a.Name != file.Baseline && !slices.ContainsFunc(comparisons, func(c study.Result) bool { return c.Arm == a.Name }) {
			arms = append(arms, "`"+a.Name+"`")
		}
	}
	for _, b := range file.Benchmarks {
		if !slices.ContainsFunc(comparisons, func(c study.Result) bool { return c.Benchmark == b.Name }) {
			benchmarks = append(benchmarks, "`"+b.Name+"`")
		}
	}
	var out []string
	if len(arms) > 0 {
		out = append(out, words.OneOrMany(len(arms), "the arm ", "the arms ")+words.List(arms))
	}
	if len(benchmarks) > 0 {
		out = append(out, words.OneOrMany(len(benchmarks), "the benchmark ", "the benchmarks ")+words.List(benchmarks))
	}
	return out
}
