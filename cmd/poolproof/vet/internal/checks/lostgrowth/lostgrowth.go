// Package lostgrowth finds slices that grow and do not come back: the pool gets
// the short one again. It also finds those whose beginning does not come back, and deferred
// puts that have their argument before it has its value.
package lostgrowth

import (
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

// Check is PV013.
var Check = check.New(check.Check{
	Code: "PV013",
	Name: "lost-growth",
	Doc:  "the pool gets the slice as it was before it grew",
	Tier: check.Warning,
	Fix:  true,
}, rule)

func rule(p *check.Pass) {
	p.Histories(func(obj *events.Object, h *events.History) {
		grown, put := h.Events[0], h.Last()
		if put.How == events.CutField {
			p.At(put, 0, "this cuts off the beginning of "+check.Name(obj)+", of which other code puts the rest, so that the pool has less memory each time", remedy(events.Cut, put))
			return
		}
		if grown.Kind != events.Use || put.Kind != events.Exit || grown.How != events.Written && grown.How != events.Cut && grown.How != events.Unset {
			return
		}
		if grown.How == events.Unset {
			p.At(put, 0, "this deferred call puts nil: its argument is evaluated here, before the assignment on "+p.Line(grown), remedy(grown.How, put))
			return
		}
		if grown.How == events.Cut {
			p.At(put, 0, "the slice is put without the part that "+p.Line(grown)+" cut off, so that the pool has less memory after each round", remedy(grown.How, put))
			return
		}
		text := "the pointer that is put still points to the slice before the " + grown.What + " on " + p.Line(grown)
		if put.Deferred {
			text = "this deferred call puts the slice as it is now, before the " + grown.What + " on " + p.Line(grown)
		}
		r := check.Report{Pos: put.Pos, End: put.End, Message: text, Remedy: remedy(grown.How, put)}
		others := func(h events.History) bool { return len(h.Events) == 1 } // what the last user left
		if put.Deferred && len(slices.DeleteFunc(slices.Clone(obj.Histories), others)) == 1 {
			r.Fixes = late(p, put.Node)
		}
		p.Report(r)
	})
}

// remedy says what to do where a slice was cut, had no value yet, or grew.
func remedy(how events.How, put events.Event) string {
	switch {
	case how == events.Cut:
		return "keep the whole slice, and put that"
	case put.Deferred:
		return "defer a function literal"
	}
	return "store the new slice through the pointer first"
}
