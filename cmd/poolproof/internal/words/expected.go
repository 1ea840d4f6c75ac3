package words

import (
	"fmt"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Held counts what became of a study's expectations.
type Held struct{ Asked, hold, fail, open, unmeasured int }

// Expectations counts what became of those of the rows.
func Expectations(rs []Row) (h Held) {
	for _, r := range rs {
		if len(r.Expect) == 0 {
			continue
		}
		h.Asked++
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
func (h Held) String() string {
	var parts []string
	add := func(n int, one, many string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, OneOrMany(n, one, many)))
		}
	}
	add(h.hold, "holds", "hold")
	add(h.fail, "does not", "do not")
	add(h.open, "is open", "are open")
	add(h.unmeasured, "is not measured", "are not measured")
	return fmt.Sprintf("Of %s %s.", Plural(h.Asked, "expected verdict", "expected verdicts"), strings.Join(parts, ", "))
}

// Revised lists the comparisons whose expectation was changed after a
// measurement was seen.
func Revised(rs []Row) Remarks {
	return each(rs, func(r Row) string {
		if len(r.Plan.ExpectedBefore) == 0 {
			return ""
		}
		return fmt.Sprintf("%s before, %s now.", Alternatives(r.Plan.ExpectedBefore), Alternatives(r.Expect))
	})
}
