package fit

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/site"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// A struct from a pool is as its last user left it. Most code sets its fields, or calls a
// method that does; which fields need that cannot be seen. One case is certain: a flag
// that some code sets, that no code of the package ever clears, and that is read right
// after Get.

// Stale finds reads of fields that still hold what the last user left there.
func Stale(fn *scene.Function, g site.Get) []scene.Found {
	obj := fn.Made[g.Value]
	st, named := scene.PooledStruct(obj.Type, fn.Pass.Pkg)
	if st == nil || fn.Out.Test || fn.Leftovers().Clean[named] {
		return nil
	}
	al := fn.Bounded(alias.Of(fn.Program, g.Value))
	if al == nil {
		return nil
	}
	for _, b := range fn.F.Blocks {
		for _, instr := range b.Instrs {
			field, what := readsFirst(fn.Code, al, instr)
			if field == nil || !fn.Leftovers().Left[field] || !untouched(fn.Code, al, g, instr, field) {
				continue
			}
			e := fn.Event(events.Exit, instr)
			e.How, e.What = events.Stale, what
			return []scene.Found{{Of: obj, History: events.History{Events: []events.Event{*obj.Get, e}}}}
		}
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

// untouched reports whether nothing may have set a field of the object between its get
// and an instruction that surely follows: no store to it or to the whole object, no store of
// the object, and no call that receives it.
func untouched(fn *track.Code, al *alias.Set, g site.Get, at ssa.Instruction, field *types.Var) bool {
	if !ssax.Before(g.Call.Instr, at) {
		return false
	}
	for _, b := range fn.F.Blocks {
		for _, instr := range b.Instrs {
			if instr == at || instr == ssa.Instruction(g.Call.Instr) || !ssax.MayPrecede(g.Call.Instr, instr) || !ssax.MayPrecede(instr, at) {
				continue
			}
			switch instr := instr.(type) {
			case *ssa.Store:
				other := ssax.FieldVar(instr.Addr)
				if other != nil && other != field && al.Of(instr.Val) == nil {
					continue
				}
				if al.Of(instr.Addr) != nil || al.Of(instr.Val) != nil {
					return false
				}
			case *ssa.MakeClosure:
				return false
			case *ssa.Defer: // it runs later
			case ssa.CallInstruction:
				c := fn.Program.Resolve(instr)
				for _, arg := range c.Args {
					if al.Of(arg) != nil {
						return false
					}
				}
			}
		}
	}
	return true
}
