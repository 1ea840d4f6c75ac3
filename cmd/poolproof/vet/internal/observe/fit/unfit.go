package fit

import (
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// unfit is that something is wrong with what is put.
func unfit(fn *scene.Function, p *track.Put, how events.How, what string) []scene.Found {
	e := fn.Event(events.Exit, p.Call.Instr)
	e.How, e.What = how, what
	return []scene.Found{fn.Found(p, events.History{Events: append(fn.GetsOf(p), fn.PutEvent(p), e)})}
}
