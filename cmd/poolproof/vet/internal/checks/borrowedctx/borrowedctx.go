// Package borrowedctx finds objects that are lent to a callback and kept by it:
// the contexts of web frameworks, which are put when the handler returns.
package borrowedctx

import (
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

// Check is PV014.
var Check = check.New(check.Check{
	Code: "PV014",
	Name: "borrowed-ctx",
	Doc:  "a callback keeps an object that its caller puts when it returns",
	Tier: check.Warning,
	Else: check.Else{Tier: check.Audit, If: "the callback keeps the object and no goroutine uses it"},
}, rule)

// remedy says what to do, whatever keeps the object: no one else has a say in when it is put.
const remedy = "copy what is needed later"

func rule(p *check.Pass) {
	p.Histories(func(obj *events.Object, h *events.History) {
		lent, e := h.Events[0], h.Last()
		if lent.Kind == events.Get && lent.How == events.Lent && e.Kind == events.Escape {
			how := "is kept beyond the call"
			if e.How == events.Started {
				how = "is used by a goroutine that this function does not wait for"
			}
			p.At(e, 0, check.Part(obj, h)+" "+how+", but "+lent.What+" only lends it until the function returns", remedy)
			return
		}
		if lent.Kind != events.Get || lent.How != events.Maybe || e.Kind != events.Escape {
			return
		}
		tier, how := check.Audit, "is kept beyond the call"
		if e.How == events.Started {
			tier, how = check.Warning, "is used by a goroutine that this callback does not wait for"
		}
		p.At(e, tier, check.Name(obj)+" "+how+", but the code that lends it puts each "+lent.What+" in a pool when the callback returns", remedy)
	})
}
