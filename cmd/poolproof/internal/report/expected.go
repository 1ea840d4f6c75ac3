package report

import (
	"fmt"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// held counts what became of a study's expectations.
type held struct{ asked, hold, fail, open, unmeasured int }

func holding(rs []row) (h held) {
	for _, r := range rs {
		if len(r.Expect) == 0 {
			continue
		}
		h.asked++
		switch {
		case r.Verdict == study.NotMeasured:
			h.unmeasured++
		case r.AsExpected == nil || r.Verdict == study.Inconclusive && !*r.AsExpected:
			h.open++
		case *r.AsExpected:
			h.hold++
		default:
			h.fail++
		}
	}
	return h
}

// String is "Of 9 expected verdicts 5 hold, 1 does not, 2 are open, 1 is not
// measured."
func (h held) String() string {
	var parts []string
	add := func(n int, one, many string) {
		switch {
		case n == 1:
			parts = append(parts, "1 "+one)
		case n > 1:
			parts = append(parts, fmt.Sprintf("%d %s", n, many))
		}
	}
	add(h.hold, "holds", "hold")
	add(h.fail, "does not", "do not")
	add(h.open, "is open", "are open")
	add(h.unmeasured, "is not measured", "are not measured")
	return fmt.Sprintf("Of %s %s.", plural(h.asked, "expected verdict", "expected verdicts"), strings.Join(parts, ", "))
}

// revised lists the comparisons whose expectation was changed after a
// measurement was seen.
func revised(rs []row) remarks {
	var out remarks
	cells := severalCells(rs)
	for _, r := range rs {
		if len(r.plan.ExpectedBefore) > 0 {
			out.add(r.name(cells), fmt.Sprintf("%s before, %s now.", alternatives(r.plan.ExpectedBefore), alternatives(r.Expect)), nil)
		}
	}
	return out
}
