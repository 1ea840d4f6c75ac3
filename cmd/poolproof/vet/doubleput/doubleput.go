// Package doubleput finds objects that are put twice: two owners get the same
// memory.
package doubleput

import (
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

// Check is PV002.
var Check = check.New(check.Check{
	Code: "PV002",
	Name: "double-put",
	Doc:  "an object is put twice, so that two owners get the same memory",
	Tier: check.Error,
}, rule)

func rule(p *check.Pass) {
	p.Histories(func(obj *events.Object, h *events.History) {
		put, ok := h.First(events.Put)
		again := h.Last()
		if !ok || again.Kind != events.Put || len(h.Events) < 2 || h.Events[len(h.Events)-2].Kind != events.Put {
			return
		}
		text := " is put again, after " + p.Line(put)
		switch {
		case put.How == events.Handed:
			text = " is put here, and by whom it was handed over to in " + p.Line(put)
		case again.Pos == put.Pos:
			text = " is put again in each round of the loop, but got once"
		case again.Deferred && put.Deferred:
			text = " is put by two deferred calls, here and in " + p.Line(put)
		case again.Deferred:
			text = " is put by this deferred call after " + p.Line(put) + " has put it"
		}
		p.Report(check.Report{
			Pos: again.Pos, End: again.End,
			Tier:    check.Demoted(check.Error, obj, h),
			Message: check.Name(obj) + text,
			Related: check.Related(h.Events[:len(h.Events)-1]...),
		})
	})
}
