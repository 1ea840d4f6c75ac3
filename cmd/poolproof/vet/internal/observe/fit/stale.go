package fit

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// A struct from a pool is as its last user left it. Most code sets its fields, or calls a
// method that does; which fields need that cannot be seen. One case is certain: a flag
// that some code sets, that no code of the package ever clears, and that is read right
// after Get.

// Stale finds reads of fields that still hold what the last user left there.
func Stale(fn *scene.Function, g track.Get) []scene.Found {
	obj := fn.Made[g.Value]
	st, named := scene.PooledStruct(obj.Type, fn.Pass.Pkg)
	if st == nil || fn.Out.Test || fn.Leftovers().Clean[named] {
		return nil
	}
	al := fn.AliasesOf(g.Value)
	if al == nil {
		return nil
	}
	for instr := range ssax.Instrs(fn.F) {
		field, what := readsFirst(fn.Code, al, instr)
		if field == nil || !fn.Leftovers().Left[field] || !untouched(fn, al, g, instr, field) {
			continue
		}
		e := fn.Event(events.Exit, instr)
		e.How, e.What = events.Stale, what
		return []scene.Found{{Of: obj, History: events.History{Events: []events.Event{*obj.Get, e}}}}
	}
	return nil
}

// readsFirst returns the field of the object that an instruction reads, in a method that
// it calls too, and how the source calls that.
func readsFirst(fn *track.Code, al *alias.Set, instr ssa.Instruction) (field *types.Var, what string) {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		at, ok := instr.X.(*ssa.FieldAddr)
		if ok && ssax.Load(instr) != nil && al.IsWhole(at.X) {
			return ssax.FieldVar(at), ssax.FieldName(at)
		}
	case *ssa.Call:
		c := fn.Program.Resolve(instr)
		if !flow.IsMethod(&c) || c.Lit == nil || len(c.Lit.Params) == 0 || !al.IsWhole(c.Args[0]) {
			return nil, ""
		}
		for _, inner := range c.Lit.Blocks[0].Instrs {
			load, ok := inner.(*ssa.UnOp)
			if ok && ssax.Load(load) != nil {
				if at, ok := load.X.(*ssa.FieldAddr); ok && at.X == ssa.Value(c.Lit.Params[0]) {
					return ssax.FieldVar(at), ssax.FieldName(at)
				}
			}
			if _, isCall := inner.(ssa.CallInstruction); isCall {
				return nil, ""
			}
			if _, isStore := inner.(*ssa.Store); isStore {
				return nil, ""
			}
		}
	}
	return nil, ""
}

// untouched reports whether nothing may have set a field of the object on some path from its get
// to an instruction that surely follows.
func untouched(fn *scene.Function, al *alias.Set, g track.Get, at ssa.Instruction, field *types.Var) (untouched bool) {
	if !ssax.Before(g.Call.Instr, at) {
		return false
	}
	fn.Walker.From(g.Call.Instr, paths.Instrs{Each: func(instr ssa.Instruction) bool {
		untouched = untouched || instr == at
		return !untouched && instr != ssa.Instruction(g.Call.Instr) && !maySet(fn.Code, al, instr, field)
	}})
	return untouched
}

// maySet reports whether an instruction may set a field of the object: a store to it or to the
// whole object, a store of the object, a literal, or a call that receives the object.
func maySet(fn *track.Code, al *alias.Set, instr ssa.Instruction, field *types.Var) bool {
	switch instr := instr.(type) {
	case *ssa.Store:
		other := ssax.FieldVar(instr.Addr)
		if other != nil && other != field && al.Of(instr.Val) == nil {
			return false
		}
		return al.Of(instr.Addr) != nil || al.Of(instr.Val) != nil
	case *ssa.MakeClosure:
		return true
	case *ssa.Defer: // it runs later
	case ssa.CallInstruction:
		return slices.ContainsFunc(fn.Program.Resolve(instr).Args, al.Has)
	}
	return false
}
