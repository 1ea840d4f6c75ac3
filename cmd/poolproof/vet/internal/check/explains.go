package check

import (
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/places"
)

// explains holds, for each check, the checks whose findings follow from its own if they are on
// the same line, or tell of the same events: a change that mends the first finding mends the others.
var explains = map[string][]string{
	"PV001": {"PV005", "PV022"},                   // used after the put: the path is not the trouble
	"PV002": {"PV001", "PV004", "PV005", "PV015"}, // put twice: the second put is a use too, and the first may be a send
	"PV003": {"PV001", "PV004"},                   // returned under a deferred put
	"PV004": {"PV001", "PV005"},
	"PV006": {"PV005", "PV011", "PV012"}, // never put
	"PV007": {"PV008", "PV018", "PV021"}, // another type is put
	"PV009": {"PV019"},                   // the pool is overwritten by a copy
	"PV011": {"PV017"},                   // nothing is reset
	"PV013": {"PV012"},
	"PV016": {"PV005"}, // deferred in a loop
	"PV021": {"PV011", "PV012", "PV017"},
}

// Explains reports whether a finding of the check explains one of the check code, if it is at
// least as grave: a change that mends the one mends the other. They are on the same line, or
// the first one [places.Tells] of nothing that the second one does not tell of. The analyzers leave out
// explained findings, unless their option "explained" is set.
func (c *Check) Explains(code string, near bool) bool {
	return near && slices.Contains(explains[c.Code], code)
}

// Ordered has the driver run each check after those that explain its findings, so that
// [Pass.Report] knows what they found. It returns checks.
func Ordered(checks []Check) []Check {
	for _, c := range checks {
		for _, by := range checks {
			if by.Explains(c.Code, true) {
				c.Analyzer.Requires = append(c.Analyzer.Requires, by.Analyzer)
			}
		}
	}
	return checks
}

// explained reports whether a check that ran before has a finding that explains one of this check.
func (p *Pass) explained(f *found) bool {
	return slices.ContainsFunc(p.check.Analyzer.Requires, func(a *analysis.Analyzer) bool {
		by, ok := p.ResultOf[a].(*Result)
		return ok && slices.ContainsFunc(by.found, func(other found) bool {
			return other.tier <= f.tier && (f.sameLine(other) || places.Tells(other.tells, f.tells))
		})
	})
}

func (f *found) sameLine(other found) bool { return f.file == other.file && f.line == other.line }
