package syntax

import (
	"go/types"
)

// Holds reports whether a type passes a test, or that of the elements of a set, over all
// depths: arrays, slices and maps are sets, and what is pointed to counts where pointers do.
func Holds(t types.Type, pointers bool, is func(types.Type) bool) bool {
	switch u := types.Unalias(t).(type) {
	case *types.Array:
		return Holds(u.Elem(), pointers, is)
	case *types.Slice:
		return Holds(u.Elem(), pointers, is)
	case *types.Map:
		return Holds(u.Elem(), pointers, is)
	case *types.Pointer:
		return pointers && Holds(u.Elem(), pointers, is)
	}
	return is(t)
}
