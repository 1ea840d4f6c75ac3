// Package retainedrefs finds objects that are put while they still refer to what
// their user gave them: as long as they wait in the pool, the garbage collector
// cannot take it.
package retainedrefs

import (
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

// Check is PV017.
var Check = check.New(check.Check{
	Code: "PV017",
	Name: "retained-refs",
	Doc:  "an object is put while it refers to memory of its user",
	Tier: check.Audit,
}, rule)

func rule(p *check.Pass) {
	p.AfterPut(events.Exit, func(obj *events.Object, _ *events.History, put, e events.Event) {
		if e.How != events.Refers {
			return
		}
		p.At(put, 0, check.Name(obj)+" is put while "+e.What+" still refers to what was stored there, and the pool keeps that memory alive", "clear it first")
	})
}
