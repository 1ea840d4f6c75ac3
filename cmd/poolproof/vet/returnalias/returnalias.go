// Package returnalias finds results that are, or refer to, an object that a
// deferred call has put by the time the caller sees them.
package returnalias

import (
	"golang.org/x/tools/go/analysis"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

// Check is PV003.
var Check = check.New(check.Check{
	Code: "PV003",
	Name: "return-alias",
	Doc:  "a result is, or refers to, an object that a deferred call puts",
	Tier: check.Error,
	Fix:  true,
}, rule)

func rule(p *check.Pass) {
	p.Histories(func(obj *events.Object, h *events.History) {
		put, ok := h.First(events.Put)
		ret := h.Last()
		if !ok || !put.Deferred || ret.Kind != events.Use || ret.How != events.Returned {
			return
		}
		what := "memory of "
		switch h.Reach {
		case events.Whole:
			what = ""
		case events.Container:
			what = "something that refers to "
		}
		p.Report(check.Report{
			Pos: ret.Pos, End: ret.End,
			Tier:    check.Demoted(check.Error, obj, h),
			Message: what + check.Name(obj) + " is returned, and put by the defer of " + p.Line(put) + " before the caller sees it",
			Related: check.Related(h.Events[:len(h.Events)-1]...),
			Fixes:   copied(h),
		})
	})
}

// copied returns the fix: a copy is returned.
func copied(h *events.History) []analysis.SuggestedFix {
	x := h.Copyable
	if x == nil {
		return nil
	}
	return []analysis.SuggestedFix{{
		Message: "return a copy",
		TextEdits: []analysis.TextEdit{
			{Pos: x.Pos(), End: x.Pos(), NewText: []byte("append([]byte(nil), ")},
			{Pos: x.End(), End: x.End(), NewText: []byte("...)")},
		},
	}}
}
