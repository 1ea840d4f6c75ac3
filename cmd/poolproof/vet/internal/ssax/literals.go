package ssax

import "golang.org/x/tools/go/ssa"

// OnlyCalled reports whether a literal is only called or deferred where it is
// made.
func OnlyCalled(made *ssa.MakeClosure) bool {
	for _, ref := range *made.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Call, *ssa.Defer:
			if ref.(ssa.CallInstruction).Common().Value != made {
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
