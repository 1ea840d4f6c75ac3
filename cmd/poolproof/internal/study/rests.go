package study

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Stale lists, in the order of the keys, where results contradict the verdicts
// on which the study's prose rests: one sentence each. INCONCLUSIVE
// contradicts too, for the prose then says more than is known; a comparison that
// was not measured says nothing.
func (p Prose) Stale(results []Result) []string {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(p.Rests)) {
		name, cell := SplitExpect(key)
		bench, arm, _ := strings.Cut(name, "/")
		for _, r := range results {
			if r.Benchmark != bench || r.Arm != arm || !HoldsAll(r.Cell, cell) || r.Verdict == NotMeasured || r.Verdict == p.Rests[key] {
				continue
			}
			at := ""
			if len(r.Cell) > 0 {
				at = " (" + strings.Join(r.Cell, " ") + ")"
			}
			out = append(out, fmt.Sprintf("%s %s%s is %s; the text rests on %s", bench, arm, at, r.Verdict, p.Rests[key]))
		}
	}
	return out
}
