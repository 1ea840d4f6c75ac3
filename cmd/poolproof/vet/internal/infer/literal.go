package infer

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// closure notes the variables of a literal that goes elsewhere than into a call
// or a defer of this function.
func (l *learner) closure(made *ssa.MakeClosure) {
	if OnlyCalled(made) {
		return
	}
	for _, b := range made.Bindings {
		for _, p := range l.contents(b) {
			l.s.Retains |= summary.Bit(p.index)
		}
		if _, isVar := b.(*ssa.Alloc); !isVar { // the receiver of a method value
			l.retain(b)
		}
	}
}

// OnlyCalled reports whether a literal is only called or deferred where it is
// made.
func OnlyCalled(made *ssa.MakeClosure) bool {
	for _, ref := range *made.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Call:
			if ref.Call.Value != made {
				return false
			}
		case *ssa.Defer:
			if ref.Call.Value != made {
				return false
			}
		case *ssa.DebugRef:
		case *ssa.Store:
			// A variable that is only called itself: deferred recursion is rare.
			if a, ok := ref.Addr.(*ssa.Alloc); !ok || !onlyCalledVariable(a) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func onlyCalledVariable(a *ssa.Alloc) bool {
	for _, ref := range *a.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
		case *ssa.UnOp:
			for _, use := range *ref.Referrers() {
				if c, ok := use.(ssa.CallInstruction); !ok || c.Common().Value != ref {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}
