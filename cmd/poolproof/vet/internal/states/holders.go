package states

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// learnHolders learns which results are structs, made here, that hold a pooled
// object in a field out of which a function of the package puts it: whoever gets
// such a struct has to end it as if it were from a pool itself.
func (fn learner) learnHolders(s *summary.Summary) {
	if len(fn.code.Gets) == 0 {
		return
	}
	for ret := range ssax.Returns(fn.code.F) {
		for r, v := range ret.Results {
			if alloc, ok := fn.code.Program.Origin(v).(*ssa.Alloc); ok && r < 64 && fn.holdsPooled(alloc) {
				s.Holders |= summary.Bit(r)
			}
		}
	}
}

// holdsPooled reports whether a struct that is made here is given an object from a
// pool, in a field out of which others put.
func (fn learner) holdsPooled(alloc *ssa.Alloc) bool {
	if _, ok := ssax.Pointee(alloc.Type()).Underlying().(*types.Struct); !ok || alloc.Parent() != fn.code.F || !fn.onlyReturned(alloc) {
		return false
	}
	for _, store := range fn.code.Program.Stores(alloc).Part {
		if store.Parent() != fn.code.F || !fn.code.Fields[ssax.FieldVar(store.Addr)] {
			continue
		}
		root := fn.code.Program.Origin(store.Val)
		for _, g := range fn.code.Gets {
			if g.Value == root {
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
			c := fn.code.Program.Resolve(ref)
			for i, arg := range c.Args {
				if arg != made {
					continue
				}
				s := c.Summary
				if c.Fn == nil || c.Invoke || c.Fn.Pkg() == nil || c.Fn.Pkg().Path() == "runtime" || i >= c.Captures ||
					(s.Retains | s.Keeps | s.Lends | s.RefPut | s.MayPut).Has(i) || s.Gives(i) || len(summary.With(s.Into, i)) > 0 {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}
