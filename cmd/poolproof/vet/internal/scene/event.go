package scene

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// Event makes an event of an instruction.
func (fn *Function) Event(kind events.Kind, instr ssa.Instruction) events.Event {
	e := events.Event{Kind: kind, Pos: ssax.Position(instr)}
	if call, ok := instr.(ssa.CallInstruction); ok {
		if node := fn.Syntax().Call(call.Common().Pos()); node != nil {
			e.Node = node
			e.Pos, e.End = anchor(node), node.End()
		}
	}
	return e
}

// PutEvent makes the event of a put.
func (fn *Function) PutEvent(p *track.Put) events.Event {
	if p.At != nil { // the code that it was handed to puts it
		e := fn.Event(events.Put, p.At)
		e.How = events.Handed
		if p.Chosen != nil {
			e.Pos, e.End = p.Chosen.Pos, token.NoPos
		}
		return e
	}
	e := fn.Event(events.Put, p.Call.Instr)
	e.What, e.Deferred = p.Call.Name(), p.Call.Deferred()
	if at, ok := fn.PoolTo(&p.Call, p.Index); ok && p.Place.Base == nil {
		e.Pool = fn.PoolName(at)
	}
	switch {
	case !p.Certain:
		e.How = events.Maybe
	case p.Taken, p.Place.Base == nil && track.GivenTo(&p.Call, p.Index) == events.Taken:
		e.How = events.Taken
	case !p.Call.IsPoolPut():
		e.How = events.Released
	}
	return e
}
