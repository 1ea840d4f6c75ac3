package fit

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// Closers finds a method Close, which others may call twice, that calls what a field of its receiver
// holds, where that is a literal which puts what it has captured, and nothing keeps it from doing so
// again.
func Closers(fn *scene.Function) (found []scene.Found) {
	if fn.F.Signature.Recv() == nil || !mayCloseTwice(fn, fn.F.Params[0]) {
		return nil
	}
	for c := range fn.Program.Calls(fn.F) {
		load := ssax.Load(c.Instr.Common().Value)
		if load == nil {
			continue
		}
		place, ok := fn.Program.Place(load.X)
		field := ssax.FieldVar(load.X)
		if !ok || field == nil || place.Base != ssa.Value(fn.F.Params[0]) || len(fn.Program.StoresTo(fn.F, place)) > 0 || flagged(fn.Code, place, c.Instr) {
			continue
		}
		if !slices.ContainsFunc(fn.Program.Functions(load.X), func(set ssa.Value) bool { return putsEachTime(fn.Program, set) }) {
			continue
		}
		obj := &events.Object{Func: fn.Out, Name: field.Name()}
		fn.Out.Objects = append(fn.Out.Objects, obj)
		put, e := fn.Event(events.Put, c.Instr), fn.Event(events.Exit, c.Instr)
		put.How, put.What = events.Released, field.Name()
		e.How, e.What = events.CallsAgain, field.Name()
		found = append(found, scene.Found{Of: obj, History: events.History{Events: []events.Event{put, e}}})
	}
	return found
}

// putsEachTime reports whether a function value is a literal that always puts what it captures, and
// does not remember that it has.
func putsEachTime(p *flow.Program, v ssa.Value) bool {
	made, ok := v.(*ssa.MakeClosure)
	if !ok {
		return false
	}
	lit := made.Fn.(*ssa.Function)
	s := p.Own(lit)
	if s == nil {
		return false
	}
	for store := range ssax.Of[*ssa.Store](lit) {
		if place, ok := p.Place(store.Addr); !ok || place.Base.Parent() != lit {
			return false // it may remember
		}
	}
	for i := range made.Bindings {
		if s.Gives(len(lit.Params) + i) {
			return true
		}
	}
	return false
}
