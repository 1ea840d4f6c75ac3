package words

import (
	"fmt"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

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
