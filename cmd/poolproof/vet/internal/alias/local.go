package alias

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// local reports whether a value is memory that the function has made itself.
func local(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap:
		return true
	case *ssa.Slice:
		return local(v.X)
	case *ssa.Call:
		return true // fresh, or known as an alias by itself
	case *ssa.Extract:
		_, ok := v.Tuple.(*ssa.Call)
		return ok
	case *ssa.Phi:
		for _, e := range v.Edges {
			if c, ok := e.(*ssa.Const); ok && c.IsNil() {
				continue
			}
			if _, isPhi := e.(*ssa.Phi); !isPhi && !local(e) {
				return false
			}
		}
		return true
	case *ssa.UnOp:
		a, ok := v.X.(*ssa.Alloc)
		if !ok || !ssax.IsLoad(v) {
			return false
		}
		for _, ref := range *a.Referrers() {
			if s, ok := ref.(*ssa.Store); ok && s.Addr == a && (s.Val == v || !fresh(s.Val)) {
				return false
			}
		}
		return true
	}
	return false
}

// fresh is local, but does not look behind variables.
func fresh(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap, *ssa.Call, *ssa.Const, *ssa.Slice:
		return true
	}
	return false
}
