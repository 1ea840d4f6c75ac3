package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// remark is something to say about comparisons. What is the same for several
// is said once.
type remark struct {
	about []string // names of the comparisons
	text  string
	lines []string // the compiler's, to be shown as they are
}

// mostNames is how many comparisons a remark names on the terminal; VERDICT.md
// names them all.
const mostNames = 12

// names lists the comparisons for the terminal.
func (r remark) names() string {
	if len(r.about) <= mostNames {
		return strings.Join(r.about, ", ")
	}
	first := mostNames - 2
	return fmt.Sprintf("%s and %d more (VERDICT.md names them)", strings.Join(r.about[:first], ", "), len(r.about)-first)
}

type remarks []remark

func (rs *remarks) add(about, text string, lines []string) {
	i := slices.IndexFunc(*rs, func(r remark) bool { return r.text == text && slices.Equal(r.lines, lines) })
	if i < 0 {
		*rs = append(*rs, remark{text: text, lines: lines})
		i = len(*rs) - 1
	}
	(*rs)[i].about = append((*rs)[i].about, about)
}

// reasons explains the verdicts of the rows that which selects. What was not
// measured has a place of its own.
func reasons(rs []row, which func(row) bool) remarks {
	var out remarks
	cells := severalCells(rs)
	for _, r := range rs {
		if r.Verdict == study.NotMeasured || !which(r) {
			continue
		}
		var lines []string
		if r.Verdict == study.Invalid {
			lines = r.plan.Escape
		}
		said := slices.DeleteFunc(Reasons(r.Result), func(s string) bool { return slices.Contains(lines, s) })
		text := clauses(said)
		if need := r.need(); need != "" {
			text = strings.TrimLeft(text+" "+need, " ")
		}
		if text == "" && len(lines) == 0 {
			continue // the row says all
		}
		out.add(r.name(cells), string(r.Verdict)+": "+text, lines)
	}
	return out
}

// need says what an undecided comparison could have shown, unless a reason says
// so, and what deciding it would take.
func (r row) need() string {
	if r.Verdict != study.Inconclusive || !r.Timed() {
		return ""
	}
	var parts []string
	if r.Detectable > 0 && !slices.ContainsFunc(r.Reasons, saysDetectable) {
		parts = append(parts, fmt.Sprintf("An effect of %s could have been seen.", share(r.Detectable)))
	}
	if time.Duration(r.NeedTime) > longestNeed {
		parts = append(parts, fmt.Sprintf("Not decidable here: it would take more than %s of measuring.", duration(study.Duration(longestNeed))))
	} else if r.NeedTime > 0 {
		parts = append(parts, fmt.Sprintf("Deciding needs about %s of measuring; %s was spent.", duration(r.NeedTime), duration(r.Spent)))
	}
	return strings.Join(parts, " ")
}

// longestNeed is the longest measuring time that is named: an estimate of more
// is a guess.
const longestNeed = 2 * time.Hour

// saysDetectable tells whether a reason's sentence holds the effect that could
// have been seen.
func saysDetectable(why study.Reason) bool {
	return why.Code == study.ReasonTime && why.Class == study.Unresolved && why.Estimate.Launches >= 2
}

// notMeasured lists what there is no verdict on. An arm that was left out in
// several cells for one reason is named once.
func notMeasured(rs []row) remarks {
	var out remarks
	missing, _ := split(rs)
	missing = slices.DeleteFunc(missing, func(r row) bool { return r.Failed != nil }) // see failed
	for len(missing) > 0 {
		first, text := missing[0], clauses(Reasons(missing[0].Result))
		like := func(r row) bool {
			return r.name(false) == first.name(false) && clauses(Reasons(r.Result)) == text
		}
		var n int
		for _, r := range missing {
			if like(r) {
				n++
			}
		}
		name := first.name(severalCells(rs))
		if n > 1 {
			of := ofBenchmark(rs, first.Benchmark)
			cells := slices.DeleteFunc(of, func(r row) bool { return r.Arm != first.Arm })
			name = fmt.Sprintf("%s (%d of %d cells)", first.name(false), n, len(cells))
		}
		out.add(name, text, nil)
		missing = slices.DeleteFunc(missing, like)
	}
	return out
}

// split separates what there is no verdict on from the rest.
func split(rs []row) (missing, rest []row) {
	for _, r := range rs {
		if r.Verdict == study.NotMeasured {
			missing = append(missing, r)
		} else {
			rest = append(rest, r)
		}
	}
	return missing, rest
}

// unexpected lists the verdicts that the study does not expect.
func unexpected(rs []row) remarks {
	var out remarks
	cells := severalCells(rs)
	for _, r := range rs {
		if r.AsExpected != nil && !*r.AsExpected {
			out.add(r.name(cells), fmt.Sprintf("%s, expected %s.", r.Verdict, alternatives(r.Expect)), nil)
		}
	}
	return out
}

// disturbed lists what was measured while other programs used the machine.
func disturbed(rs []row) remarks {
	var out remarks
	cells := severalCells(rs)
	for _, r := range rs {
		if r.Foreign > busy && r.Timed() {
			out.add(r.name(cells), fmt.Sprintf("other programs used %.0f %% of the machine.", 100*r.Foreign), nil)
		}
	}
	return out
}

// empty lists benchmarks whose operations are shorter than any can be.
func empty(rs []row) remarks {
	var out remarks
	cells := severalCells(rs)
	for _, r := range rs {
		if r.Timed() && r.time() != dash && r.Paced == nil && min(r.BaselineTime, r.CandidateTime) < cycle {
			out.add(r.name(cells), "an operation takes less than a cycle of the processor: either the benchmark does not run b.N of them, as a loop over b.Loop does, or the compiler has removed its work.", nil)
		}
	}
	return out
}

// alternatives is "A, B or C".
func alternatives(vs []study.Verdict) string {
	var b strings.Builder
	for i, v := range vs {
		switch {
		case i == 0:
		case i == len(vs)-1:
			b.WriteString(" or ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(string(v))
	}
	return b.String()
}

// clauses joins what the judge says into one sentence.
func clauses(texts []string) string {
	var parts []string
	for _, t := range texts {
		if t = strings.TrimRight(strings.TrimSpace(t), "."); t != "" {
			parts = append(parts, t)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "; ") + "."
}
