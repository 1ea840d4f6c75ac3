// Package foreignput finds puts of what the pool did not hand out: an object of
// another pool, or memory that has another owner.
package foreignput

import (
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

// Check is PV021.
var Check = check.New(check.Check{
	Code: "PV021",
	Name: "foreign-put",
	Doc:  "what is put was got from another pool, or is memory that has another owner",
	Tier: check.Warning,
}, rule)

func rule(p *check.Pass) {
	p.AfterPut(events.Exit, func(obj *events.Object, h *events.History, put, e events.Event) {
		switch e.How {
		case events.LentOut:
			p.At(put, 0, e.What+" puts "+check.Name(obj)+", which its callers can only have borrowed: callbacks are lent such objects, and the lender puts them", "leave the put to the lender")
		case events.Foreign:
			p.Ends(h, 0, check.Name(obj)+" was not taken from this pool: "+e.What, remedy(h))
		}
	})
}

// remedy says what to do: memory that no pool gave has an owner, who keeps it.
func remedy(h *events.History) string {
	if _, got := h.First(events.Get); got {
		return "put it there"
	}
	return "put a copy"
}
