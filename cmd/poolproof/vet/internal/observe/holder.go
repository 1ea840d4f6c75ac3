package observe

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// learnHolders learns which results are structs, made here, that hold a pooled
// object in a field out of which a function of the package puts it: whoever gets
// such a struct has to end it as if it were from a pool itself.
func (fn learner) learnHolders(s *summary.Summary) {
	if len(fn.gets) == 0 {
		return
	}
	for _, b := range fn.f.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || b == fn.f.Recover {
			continue
		}
		for r, v := range ret.Results {
			if alloc, ok := fn.Program.Origin(v).(*ssa.Alloc); ok && r < 64 && fn.holdsPooled(alloc) {
				s.Holders |= summary.Bit(r)
			}
		}
	}
}

// holdsPooled reports whether a struct that is made here is given an object from a
// pool, in a field out of which others put.
func (fn learner) holdsPooled(alloc *ssa.Alloc) bool {
	if _, ok := ssax.Pointee(alloc.Type()).Underlying().(*types.Struct); !ok || alloc.Parent() != fn.f || !fn.onlyReturned(alloc) {
		return false
	}
	for _, store := range fn.Program.Stores(alloc).Part {
		if store.Parent() != fn.f || !fn.fields[ssax.FieldVar(store.Addr)] {
			continue
		}
		root := fn.Program.Origin(store.Val)
		for _, g := range fn.gets {
			if g.value == root {
				return true
			}
		}
	}
	return false
}

// onlyReturned reports whether a struct that is made here goes nowhere but to the
// caller: not to a goroutine, a list or a finalizer that may end it.
func (fn learner) onlyReturned(made ssa.Value) bool {
	for _, ref := range *made.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Return, *ssa.FieldAddr, *ssa.DebugRef, *ssa.BinOp:
		case *ssa.MakeInterface:
			if !fn.onlyReturned(ref) {
				return false
			}
		case *ssa.Store:
			if ref.Addr != made {
				return false
			}
		case *ssa.Call:
			c := fn.Program.Resolve(ref)
			for i, arg := range c.Args {
				if arg != made {
					continue
				}
				s := c.Summary
				if c.Fn == nil || c.Invoke || c.Fn.Pkg() == nil || c.Fn.Pkg().Path() == "runtime" || i >= c.Captures ||
					(s.Retains | s.Keeps | s.Lends | s.RefPut | s.MayPut).Has(i) || s.Gives(i) {
					return false
				}
				for _, into := range s.Into {
					if (into.From | into.May).Has(i) {
						return false
					}
				}
			}
		default:
			return false
		}
	}
	return true
}

// holdersOf collects the structs that hold a pooled object among the results of a
// call.
func (fn *Sites) holdersOf(c flow.Call) {
	for r := 0; c.Summary.Holders>>r != 0; r++ {
		if v := c.Result(r); v != nil && c.Summary.Holders.Has(r) && !c.Summary.Getter.Has(r) {
			fn.holders = append(fn.holders, get{c, v})
		}
	}
}

// leakingHolders looks for paths on which such a struct is neither ended nor handed
// to somebody else.
func (fn *function) leakingHolders(step func(func())) {
	for _, g := range fn.holders {
		if fn.made[g.value] == nil {
			fn.made[g.value] = fn.object(g.value, ssax.ObjectType(g.value), &g)
		}
		step(func() { fn.leaks(g) })
	}
}

// endsHolder reports whether a call puts what a struct holds that has a pooled
// object in it, or is of a method of the struct that is named as one that does.
func (w *fate) endsHolder(c *flow.Call) (ends bool) {
	holder := w.g.call.Summary.Holders.Has(resultIndex(w.g.value))
	if w.closes(c) && (holder || slices.ContainsFunc(c.Summary.Fields, func(e summary.FieldEffect) bool { return e.Puts && e.Param == 0 })) {
		return true // it may do so under a condition of its own
	}
	if !holder {
		return false
	}
	w.code.effects(c, func(place memory.Var, e summary.FieldEffect) bool {
		ends = ends || e.Puts && (place.Base == w.g.value || w.al.IsWhole(place.Base) || w.al.Captured(place.Base))
		return !ends
	})
	return ends || c.Lit != nil && c.Lit.Parent() == w.code.f && w.closedIn(c.Lit)
}

// closes reports whether a call is of a method of the object that is named as one
// that ends it.
func (w *fate) closes(c *flow.Call) bool {
	if !method(c) || c.Invoke || !names.IsRelease(c.Name()) || len(c.Args) == 0 {
		return false
	}
	info := w.al.Of(c.Args[0])
	return info != nil && !info.Holder
}

// closedIn reports whether a literal calls such a method.
func (w *fate) closedIn(lit *ssa.Function) bool {
	for _, b := range lit.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok {
				if c := w.code.Program.Resolve(call); w.closes(&c) {
					return true
				}
			}
		}
	}
	return false
}

// resultIndex returns which result of a call a value is.
func resultIndex(v ssa.Value) int {
	if e, ok := v.(*ssa.Extract); ok {
		return e.Index
	}
	return 0
}
