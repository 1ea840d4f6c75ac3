package outlive

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/site"
)

// Lent finds parameters that are only borrowed and outlive the call: they are
// used by a goroutine that nobody waits for, or stored.
func Lent(fn *scene.Function) {
	if fn.Out.Test {
		return
	}
	for i, prm := range fn.F.Params {
		tn, ok := fn.LentType(prm.Type())
		if !ok || tn.Pkg() == fn.Pass.Pkg && len(fn.Gets)+len(fn.Puts) > 0 {
			continue // the lender itself
		}
		if fn.F.Signature.Recv() != nil && i == 0 {
			continue
		}
		al := fn.Bounded(alias.Of(fn.Program, prm))
		if al == nil {
			continue
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
				lent := events.Event{Kind: events.Get, How: events.Maybe, Pos: prm.Pos(), What: tn.Pkg().Name() + "." + tn.Name()}
				e := fn.Event(events.Escape, instr)
				e.How = how
				obj.Histories = append(obj.Histories, events.History{Events: []events.Event{lent, e}, Reach: al.Of(v).Reach})
			}
		}
	}
}

// leavesRunning reports whether a path from a go statement to a return waits for
// nothing.
func leavesRunning(fn *scene.Function, instr ssa.Instruction) bool {
	fn.Walker.Budget = fn.Budget
	v := &follow{fn: fn, p: &site.Put{Call: flow.Call{Instr: &ssa.Defer{}}}, joins: true, start: instr}
	fn.Walker.From(instr, v)
	return v.puts > 0
}
