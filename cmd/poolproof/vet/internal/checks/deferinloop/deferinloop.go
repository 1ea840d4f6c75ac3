// Package deferinloop finds deferred puts in loops: every round gets another
// object, and none comes back before the function ends.
package deferinloop

import (
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

// Check is PV016.
var Check = check.New(check.Check{
	Code: "PV016",
	Name: "defer-in-loop",
	Doc:  "a put is deferred in a loop, so nothing comes back before the function ends",
	Tier: check.Warning,
}, rule)

func rule(p *check.Pass) {
	p.AfterPut(events.Exit, func(_ *events.Object, _ *events.History, put, loop events.Event) {
		if !put.Deferred || loop.How != events.NextRound {
			return
		}
		p.At(loop, 0, "the deferred put in a loop runs only when the function ends, so each round takes another object", "put at the end of the round, or make the round a function")
	})
}
