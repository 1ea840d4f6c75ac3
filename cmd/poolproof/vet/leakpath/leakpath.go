// Package leakpath finds paths on which an object does not come back to its pool,
// although it does on others.
package leakpath

import (
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

// Check is PV005.
var Check = check.New(check.Check{
	Code: "PV005",
	Name: "leak-path",
	Doc:  "a path loses an object that others put or hand over",
	Tier: check.Warning,
}, rule)

func rule(p *check.Pass) {
	p.Histories(func(obj *events.Object, h *events.History) {
		get, ok := h.First(events.Get)
		exit := h.Last()
		_, put := h.First(events.Put)
		if !ok || put || exit.Kind != events.Exit {
			return
		}
		var text string
		switch exit.How {
		case events.Return:
			text = "this return loses "
		case events.ErrorReturn, events.FailedReturn:
			if p.Events.Options.DropOnError {
				return
			}
			text = "this return of an error loses "
		case events.NextRound:
			text = "the next round of the loop gets another object and loses "
		case events.Replaced:
			text = "this assignment loses "
		default:
			return
		}
		where := ", which " + p.Line(get) + " got from a pool and " + puts(p, obj)
		switch exit.How {
		case events.NextRound:
			where = ", which " + puts(p, obj)
		case events.FailedReturn:
			where = ", which " + p.Line(get) + " got from a pool and which is handed over if all goes well"
		case events.Replaced:
			where = ", which " + p.Line(get) + " got from a pool and nobody has put yet"
		}
		p.Report(check.Report{
			Pos: exit.Pos, End: exit.End,
			Message: text + check.Name(obj) + where,
			Related: check.Related(get),
		})
	})
}

// puts says where another path puts the object.
func puts(p *check.Pass, obj *events.Object) string {
	for _, put := range obj.Puts {
		if put.What != "" && put.Pos.IsValid() {
			return put.What + " of " + p.Line(put) + " puts on another path"
		}
	}
	return "another path puts"
}
