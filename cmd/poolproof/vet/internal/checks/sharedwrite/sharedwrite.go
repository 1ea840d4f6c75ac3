// Package sharedwrite finds writes to memory that others read at the same time.
package sharedwrite

import (
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

// Check is PV022.
var Check = check.New(check.Check{
	Code: "PV022",
	Name: "shared-write",
	Doc:  "memory that others read at the same time is written",
	Tier: check.Error,
	Else: check.Through,
}, rule)

func rule(p *check.Pass) {
	p.Histories(func(obj *events.Object, h *events.History) {
		shown, e := h.Events[0], h.Last()
		if shown.Kind != events.Get || shown.How != events.ReadOnly || e.How != events.Written {
			return
		}
		what := check.Part(obj, h)
		if h.Reach == events.Whole && obj.Name == "" {
			what = "the result of " + shown.What
		}
		p.At(e, check.Demoted(check.Error, obj, h), what+" is written, but others may read what "+shown.What+" ("+p.Line(shown)+") gives, at the same time", "change a copy of your own")
	})
}
