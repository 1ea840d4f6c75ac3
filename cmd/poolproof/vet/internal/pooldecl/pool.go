package pooldecl

import (
	"go/types"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// IsPool reports whether t is sync.Pool, or a pointer to it.
func IsPool(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	return IsPoolValue(t)
}

// IsPoolValue reports whether t is sync.Pool itself.
func IsPoolValue(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == "Pool" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync"
}

// HoldsPools reports whether a variable of type t is a pool, a pointer to one, or
// a set of them.
func HoldsPools(t types.Type) bool { return syntax.Holds(t, true, IsPoolValue) }

// Contains reports whether a value of type t has a pool in it.
func Contains(t types.Type) bool { return contains(t, map[types.Type]bool{}) }

func contains(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if IsPoolValue(t) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return contains(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if contains(f.Type(), seen) {
				return true
			}
		}
	case *types.Tuple:
		for v := range u.Variables() {
			if contains(v.Type(), seen) {
				return true
			}
		}
	}
	return false
}
