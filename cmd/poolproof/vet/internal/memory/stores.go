package memory

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// collect adds the stores to a variable, or a part of one, by an address of it.
func (s *Stores) collect(a *ssa.Alloc, addr ssa.Value, whole bool) {
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr == addr {
				if whole {
					s.Whole = append(s.Whole, ref)
				} else {
					s.Part = append(s.Part, ref)
				}
				s.Inner = s.Inner || ref.Parent() != a.Parent()
			}
			if ref.Val == addr {
				s.Unknown = true
			}
		case *ssa.UnOp:
			if whole {
				s.Loads = append(s.Loads, ref)
			}
		case *ssa.FieldAddr:
			s.Parts = append(s.Parts, ref)
			s.collect(a, ref, false)
		case *ssa.IndexAddr:
			if ssax.IsPointer(ref.X.Type()) {
				s.Parts = append(s.Parts, ref)
				s.collect(a, ref, false)
			}
		case *ssa.MakeClosure:
			s.Closure = append(s.Closure, ref)
			fn := ref.Fn.(*ssa.Function)
			for i, b := range ref.Bindings {
				if b == addr && i < len(fn.FreeVars) {
					s.collect(a, fn.FreeVars[i], whole)
				}
			}
		case *ssa.DebugRef, *ssa.BinOp, *ssa.If:
		case *ssa.Convert:
			if _, only := ssax.CastReads(ref); !only {
				s.Unknown = true
			}
		case *ssa.Slice: // of an array: stores to elements
			s.Parts = append(s.Parts, ref)
		default:
			// A call, a conversion, a phi: the address is passed on.
			if _, isArray := ssax.Pointee(a.Type()).Underlying().(*types.Array); !isArray {
				s.Unknown = true
			}
		}
	}
}
