package outlive

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/site"
)

// Lent asks of each parameter that is only borrowed whether it outlives the call: whether
// a goroutine that nobody waits for uses it, or it is stored.
func Lent(fn *scene.Function) (questions []scene.Question) {
	if fn.Out.Test {
		return nil
	}
	for i, prm := range fn.F.Params {
		tn, ok := fn.LentType(prm.Type())
		if !ok || tn.Pkg() == fn.Pass.Pkg && len(fn.Gets)+len(fn.Puts) > 0 {
			continue // the lender itself
		}
		if fn.F.Signature.Recv() != nil && i == 0 {
			continue
		}
		questions = append(questions, func() []scene.Found { return outlives(fn, prm, tn) })
	}
	return questions
}

// outlives finds where a borrowed parameter goes that outlives the call.
func outlives(fn *scene.Function, prm *ssa.Parameter, lender *types.TypeName) (found []scene.Found) {
	al := fn.Bounded(alias.Of(fn.Program, prm))
	if al == nil {
		return nil
	}
	for _, b := range fn.F.Blocks {
		for _, instr := range b.Instrs {
			how, v := escape(fn, al, instr)
			if how == events.Plain || !al.Of(v).Must || al.Of(v).Field != flow.None && how != events.Started {
				continue
			}
			if how == events.Started && !leavesRunning(fn, instr) {
				continue
			}
			obj := fn.Made[prm]
			if obj == nil {
				obj = fn.Object(prm, prm.Type(), nil)
				fn.Made[prm] = obj
			}
			lent := events.Event{Kind: events.Get, How: events.Maybe, Pos: prm.Pos(), What: lender.Pkg().Name() + "." + lender.Name()}
			e := fn.Event(events.Escape, instr)
			e.How = how
			found = append(found, scene.Found{Of: obj, History: events.History{Events: []events.Event{lent, e}, Reach: al.Of(v).Reach}})
		}
	}
	return found
}

// leavesRunning reports whether a path from a go statement to a return waits for
// nothing.
func leavesRunning(fn *scene.Function, instr ssa.Instruction) bool {
	v := &follow{fn: fn, p: &site.Put{Call: flow.Call{Instr: &ssa.Defer{}}}, joins: true, start: instr}
	fn.Walker.From(instr, v)
	return v.puts > 0
}
