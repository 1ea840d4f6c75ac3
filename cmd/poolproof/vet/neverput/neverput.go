// Package neverput finds objects that are got, used, and never put by anybody.
package neverput

import (
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

// Check is PV006.
var Check = check.New(check.Check{
	Code: "PV006",
	Name: "never-put",
	Doc:  "an object is got from a pool and neither put nor handed to anybody",
	Tier: check.Warning,
}, rule)

func rule(p *check.Pass) {
	p.Histories(func(obj *events.Object, h *events.History) {
		get, exit := h.Events[0], h.Last()
		if get.Kind != events.Get || exit.Kind != events.Exit || exit.How != events.Plain {
			return
		}
		p.Report(check.Report{
			Pos: get.Pos, End: get.End,
			Message: check.Name(obj) + " is got from a pool and never put: the pool only ever makes new objects",
		})
	})
}
