// Package escape finds memory of an object that is stored, sent or given to a
// goroutine, and put nevertheless.
package escape

import (
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

// Check is PV004.
var Check = check.New(check.Check{
	Code: "PV004",
	Name: "escape",
	Doc:  "other code still holds an object, or memory of it, when the object is put",
	Tier: check.Error,
}, rule)

var words = map[events.How]string{
	events.StoredField:  "stored in a field that outlives this function",
	events.StoredGlobal: "stored in a package variable",
	events.StoredMap:    "stored in a map that outlives this function",
	events.Sent:         "sent to a channel",
	events.Collected:    "added to a list that outlives this function",
	events.Kept:         "kept by the function that it is passed to",
	events.Requested:    "the body of a request, which the transport may still read when this call has returned",
	events.Started:      "used by a goroutine that this function does not wait for",
}

func rule(p *check.Pass) {
	p.Histories(func(obj *events.Object, h *events.History) {
		put, ok := h.First(events.Put)
		e := h.Last()
		if !ok || e.Kind != events.Escape {
			return
		}
		what := ""
		if h.Reach != events.Whole {
			what = "memory of "
		}
		p.Report(check.Report{
			Pos: e.Pos, End: e.End,
			Tier:    check.Demoted(check.Error, obj, h),
			Message: what + check.Name(obj) + " is " + words[e.How] + ", but " + p.Puts(put, check.Name(obj)),
			Related: check.Related(h.Events[:len(h.Events)-1]...),
		})
	})
}
