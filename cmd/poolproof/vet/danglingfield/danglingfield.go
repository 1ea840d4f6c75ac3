// Package danglingfield finds fields that still refer to an object after it was
// put out of them.
package danglingfield

import (
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

// Check is PV015.
var Check = check.New(check.Check{
	Code: "PV015",
	Name: "dangling-field",
	Doc:  "a field still refers to an object after it was put",
	Tier: check.Audit,
}, rule)

func rule(p *check.Pass) {
	p.Histories(func(obj *events.Object, h *events.History) {
		put, ok := h.First(events.Put)
		e := h.Last()
		if !ok || e.Kind != events.Exit || e.How != events.StoredField && e.How != events.StoredAgain {
			return
		}
		tier, next := check.Audit, "the next use or put of it is another owner's"
		if e.How == events.StoredAgain {
			tier, next = check.Warning, "a second call puts it again"
		}
		p.Report(check.Report{
			Pos: put.Pos, End: put.End,
			Tier:    tier,
			Message: "field " + e.What + " still refers to the object after this put: set it to nil, or " + next,
		})
	})
}
