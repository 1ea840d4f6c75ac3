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
	Else: check.Else{Tier: check.Warning, If: check.Through.If + ", or if other code may have let go of it by then"},
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
	p.AfterPut(events.Escape, func(obj *events.Object, h *events.History, put, e events.Event) {
		what := check.Name(obj)
		if h.Reach != events.Whole {
			what = "memory of " + what
		}
		p.Ends(h, check.Demoted(check.Error, obj, h), what+" is "+words[e.How]+", but "+p.Puts(put, check.Name(obj)), remedy(e))
	})
}

// remedy says what to do: the put follows the last use, wherever that is.
func remedy(e events.Event) string {
	switch e.How {
	case events.Started, events.Requested:
		return "put it when that is done with it"
	}
	return "put it where its last user is done with it, or hand out a copy"
}
