// Package noreset is PV011: objects with state that is not reset between two
// users.
package noreset

import (
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

// Check is the check.
var Check = check.New(check.Check{
	Code: "PV011",
	Name: "no-reset",
	Doc:  "an object with state is reset neither before Put nor after Get",
	Tier: check.Audit,
	Else: check.Else{Tier: check.Warning, If: "a function certainly reads what earlier users wrote to a buffer, a builder or a hash, or reads a flag right after Get that some code sets and no code clears, if a decoder fills a struct that nothing resets, or if a function that resets a struct leaves fields out"},
}, rule)

func rule(p *check.Pass) {
	p.Histories(func(obj *events.Object, h *events.History) {
		use := h.Last()
		tier, message := says(p, obj, use)
		if message == "" {
			return
		}
		p.Report(check.Report{
			Pos: use.Pos, End: use.End, Tier: tier,
			Message: message, Remedy: remedy(use.How),
			Related: append(check.Related(h.Events[:len(h.Events)-1]...), put(p, use)...),
		})
	})
}

// says says what is left in an object, "" if nothing is.
func says(p *check.Pass, obj *events.Object, use events.Event) (check.Tier, string) {
	switch use.How {
	case events.Stale:
		return check.Warning, "the field " + use.What + " is read as the last user of " + check.Name(obj) + " left it: " + p.Line(*obj.Get) + " took it from a pool, and nothing clears the field before Put or after Get"
	case events.Content:
		return check.Warning, "nothing resets " + check.Name(obj) + ", so that this function reads what all its users before wrote"
	case events.Drained:
		return check.Warning, "WriteTo leaves in " + check.Name(obj) + " what it could not write, and nothing resets it"
	case events.Decoded:
		return check.Warning, "this " + types.TypeString(obj.Type, types.RelativeTo(p.Pkg)) + " keeps what its last user decoded: a decoder sets only the fields that it finds, and nothing resets the others"
	case events.Unreset:
		return check.Audit, "this " + types.TypeString(obj.Type, types.RelativeTo(p.Pkg)) + " still holds the data of its last user: nothing resets it"
	case events.Forgotten:
		return check.Warning, obj.Func.Obj.Name() + " leaves " + use.What + " as the last user left it, and resets other fields"
	}
	return 0, ""
}

// remedy says what to do about it.
func remedy(how events.How) string {
	switch how {
	case events.Stale:
		return "set it after Get or clear it before Put"
	case events.Forgotten:
		return "reset all"
	}
	return "reset it after Get or before Put"
}

// put returns a place where the pool of a get is given an object.
func put(p *check.Pass, get events.Event) []analysis.RelatedInformation {
	for _, pool := range p.Events.Pools {
		for _, g := range pool.Gets {
			if get.Node == g.Call && len(pool.Puts) > 0 {
				at := pool.Puts[0].Call
				return []analysis.RelatedInformation{{Pos: at.Pos(), End: at.End(), Message: "put as it is"}}
			}
		}
	}
	return nil
}
