// Package neverput finds objects that are taken from a pool and lost: nothing puts them, and nothing else gets them.
package neverput

import (
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

// Check is PV006.
var Check = check.New(check.Check{
	Code: "PV006",
	Name: "never-put",
	Doc:  "an object is taken from a pool and neither put nor handed on",
	Tier: check.Warning,
}, rule)

func rule(p *check.Pass) {
	idle(p)
	p.Histories(func(obj *events.Object, h *events.History) {
		get, exit := h.Events[0], h.Last()
		if get.Kind != events.Get || exit.Kind != events.Exit {
			return
		}
		if exit.How == events.KeptInField {
			p.At(get, 0, check.Name(obj)+" comes from a pool and goes into the field "+exit.What+", out of which no code of the package takes it", "put it when the struct is done with it")
			return
		}
		if exit.How != events.Plain {
			return
		}
		p.At(get, 0, check.Name(obj)+" comes from a pool, and this function neither puts it nor hands it on: the pool has to make a new object each time", "put it after its last use")
	})
}
