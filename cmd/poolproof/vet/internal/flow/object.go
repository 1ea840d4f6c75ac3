package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// ObjectType returns the type of an object: that to which it is asserted, if it
// is got as an interface.
func ObjectType(v ssa.Value) types.Type {
	if types.IsInterface(v.Type()) && v.Referrers() != nil {
		for _, ref := range *v.Referrers() {
			if a, ok := ref.(*ssa.TypeAssert); ok {
				return a.AssertedType
			}
		}
	}
	return v.Type()
}

// IsBuffer reports whether a type is a buffer, all of whose memory is its own: a
// slice of what has no pointers, a pointer to one, an array of bytes, or a
// buffer of the standard library.
func IsBuffer(t types.Type) bool {
	if t == nil {
		return false
	}
	if elem := Pointee(t); elem != nil {
		t = elem
	}
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil {
		switch named.Obj().Pkg().Path() + "." + named.Obj().Name() {
		case "bytes.Buffer", "strings.Builder":
			return true
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return !HasPointers(u.Elem())
	case *types.Array:
		return !HasPointers(u.Elem())
	}
	return false
}
