package outlive

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// Lent asks of each parameter that is only borrowed whether it outlives the call: whether
// a goroutine that nobody waits for uses it, or it is stored. It is borrowed because of its
// type, or because the function is a literal that is passed to code which lends it.
func Lent(fn *scene.Function) (questions []scene.Question) {
	for _, p := range fn.Passed {
		if p.Lent {
			lent := events.Event{Kind: events.Get, How: events.Lent, Pos: p.Param.Pos(), What: p.To}
			questions = append(questions, func() []scene.Found { return outlives(fn, p.Param, lent) })
		}
	}
	if fn.Out.Test {
		return questions
	}
	for i, prm := range fn.F.Params {
		tn, ok := fn.LentType(prm.Type())
		if !ok || tn.Pkg() == fn.Pass.Pkg && len(fn.Gets)+len(fn.Puts) > 0 {
			continue // the lender itself
		}
		if fn.F.Signature.Recv() != nil && i == 0 {
			continue
		}
		lent := events.Event{Kind: events.Get, How: events.Maybe, Pos: prm.Pos(), What: tn.Pkg().Name() + "." + tn.Name()}
		questions = append(questions, func() []scene.Found { return outlives(fn, prm, lent) })
	}
	return questions
}

// outlives finds where a borrowed parameter goes that outlives the call.
func outlives(fn *scene.Function, prm *ssa.Parameter, lent events.Event) (found []scene.Found) {
	al := fn.AliasesOf(prm)
	if al == nil {
		return nil
	}
	for instr := range ssax.Instrs(fn.F) {
		how, v := escape(fn, al, instr)
		switch {
		case how == events.Plain || v == nil || !al.Of(v).Must:
			continue
		case how == events.Started:
			if !leavesRunning(fn, instr) {
				continue
			}
		case lent.How == events.Lent:
			if onlyInside(fn, instr) || backToLender(fn, instr) {
				continue
			}
		case al.Of(v).Field != flow.None:
			continue
		}
		obj := fn.Made[prm]
		if obj == nil {
			obj = fn.Object(prm, prm.Type(), nil)
			fn.Made[prm] = obj
		}
		e := fn.Event(events.Escape, instr)
		e.How = how
		found = append(found, scene.Found{Of: obj, History: events.History{Events: []events.Event{lent, e}, Reach: al.Of(v).Reach}})
	}
	return found
}

// onlyInside reports whether an instruction stores to a captured variable that only the
// literal reads.
func onlyInside(fn *scene.Function, instr ssa.Instruction) bool {
	store, ok := instr.(*ssa.Store)
	if !ok {
		return false
	}
	place, ok := fn.Program.Place(store.Addr)
	if !ok || !place.Local() {
		return false
	}
	for _, load := range fn.Program.FamilyOf(fn.F).Loads[place] {
		if load.Parent() != fn.F {
			return false
		}
	}
	return true
}

// backToLender reports whether an instruction stores to something else that the same call
// lends: it stays where it came from.
func backToLender(fn *scene.Function, instr ssa.Instruction) bool {
	store, ok := instr.(*ssa.Store)
	if !ok {
		return false
	}
	place, ok := fn.Program.Place(store.Addr)
	return ok && slices.ContainsFunc(fn.Passed, func(p scene.Passed) bool {
		i, _, given := fn.Program.Given(fn.F, place)
		return p.Lent && (place.Base == ssa.Value(p.Param) || given && fn.F.Params[i] == p.Param)
	})
}

// leavesRunning reports whether a path from a go statement to a return waits for
// nothing.
func leavesRunning(fn *scene.Function, instr ssa.Instruction) bool {
	v := &follow{fn: fn, p: &track.Put{Call: flow.Call{Instr: &ssa.Defer{}}}, joins: true, start: instr}
	fn.Walker.From(instr, v)
	return v.puts > 0
}
