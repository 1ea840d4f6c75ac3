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
	return ssax.Only(made, func(use ssa.Instruction) bool {
		switch use := use.(type) {
		case *ssa.Return, *ssa.FieldAddr, *ssa.BinOp:
			return true
		case *ssa.MakeInterface:
			return fn.onlyReturned(use)
		case *ssa.Store:
			return use.Addr == made
		case *ssa.Call:
			c := fn.code.Program.Resolve(use)
			known := c.Fn != nil && !c.Invoke && c.Fn.Pkg() != nil && c.Fn.Pkg().Path() != "runtime"
			for i, arg := range c.Args {
				if arg == made && (!known || i >= c.Captures || c.Summary.Takes(i) || c.Summary.Gives(i) || len(summary.With(c.Summary.Into, i)) > 0) {
					return false
				}
			}
			return true
		}
		return false
	})
}
