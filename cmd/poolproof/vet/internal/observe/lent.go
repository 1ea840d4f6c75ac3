package observe

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// Lends returns the exported types of the package as which the function lends
// objects to code that it does not know, and takes them back: callbacks only
// borrow them.
func Lends(t *Table, f *ssa.Function, pkg *types.Package, budget int) []*types.TypeName {
	fn := learner{newCode(t, f, budget)}
	if len(fn.gets) == 0 || len(fn.puts) == 0 {
		return nil
	}
	var lent []*types.TypeName
	for i := range fn.puts {
		p := &fn.puts[i]
		if !p.certain {
			continue
		}
		p.roots = fn.putRoots(p)
		for _, g := range fn.gets {
			if len(p.roots) != 1 || p.roots[0] != g.value {
				continue
			}
			al := fn.aliases(p)
			if al == nil || !fn.lends(al) {
				continue
			}
			for _, v := range al.Values() {
				if tn := exported(v.Type(), pkg); tn != nil && !al.Of(v).Holder && al.Of(v).Field == flow.None {
					lent = append(lent, tn)
				}
			}
		}
	}
	return lent
}

// lends reports whether an object is passed, whole, to code that is not known.
func (fn learner) lends(al *alias.Set) bool {
	for _, b := range fn.f.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			c := fn.Program.Resolve(call)
			for i, arg := range c.Args {
				if i >= c.Captures || !al.IsWhole(arg) || c.Builtin != "" {
					continue
				}
				if c.Summary.Lends.Has(i) || c.Fn == nil && c.Lit == nil || c.Invoke && i > 0 {
					return true
				}
			}
		}
	}
	return false
}

// exported returns the name of an exported struct or interface type of a package.
func exported(t types.Type, pkg *types.Package) *types.TypeName {
	if elem := ssax.Pointee(t); elem != nil {
		t = elem
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() != pkg || !named.Obj().Exported() {
		return nil
	}
	return named.Obj()
}

// takesLent reports whether a parameter is of a type that is lent to callbacks.
func (fn *function) takesLent() bool {
	for _, p := range fn.f.Params {
		if _, ok := fn.LentType(p.Type()); ok {
			return true
		}
	}
	return false
}

// lent finds parameters that are only borrowed and outlive the call: they are
// used by a goroutine that nobody waits for, or stored.
func (fn *function) lent() {
	if fn.out.Test {
		return
	}
	for i, prm := range fn.f.Params {
		tn, ok := fn.LentType(prm.Type())
		if !ok || tn.Pkg() == fn.Pass.Pkg && len(fn.gets)+len(fn.puts) > 0 {
			continue // the lender itself
		}
		if fn.f.Signature.Recv() != nil && i == 0 {
			continue
		}
		al := fn.bounded(alias.Of(fn.Program, prm))
		if al == nil {
			continue
		}
		for _, b := range fn.f.Blocks {
			for _, instr := range b.Instrs {
				how, v := fn.escape(al, instr)
				if how == events.Plain || !al.Of(v).Must || al.Of(v).Field != flow.None && how != events.Started {
					continue
				}
				if how == events.Started && !fn.leavesRunning(instr) {
					continue
				}
				obj := fn.made[prm]
				if obj == nil {
					obj = fn.object(prm, prm.Type(), nil)
					fn.made[prm] = obj
				}
				lent := events.Event{Kind: events.Get, How: events.Maybe, Pos: prm.Pos(), What: tn.Pkg().Name() + "." + tn.Name()}
				e := fn.event(events.Escape, instr)
				e.How = how
				obj.Histories = append(obj.Histories, events.History{Events: []events.Event{lent, e}, Reach: al.Of(v).Reach})
			}
		}
	}
}

// leavesRunning reports whether a path from a go statement to a return waits for
// nothing.
func (fn *function) leavesRunning(instr ssa.Instruction) bool {
	fn.walker.Budget = fn.budget
	v := &follow{fn: fn, p: &put{call: flow.Call{Instr: &ssa.Defer{}}}, joins: true, start: instr}
	fn.walker.From(instr, v)
	return v.puts > 0
}
