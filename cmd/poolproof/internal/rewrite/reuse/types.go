package reuse

import (
	"go/types"
)

// madeOf reports whether a part that values of a type are made of passes a test: the type itself,
// or one of its fields or elements, over all depths.
func madeOf(t types.Type, is func(types.Type) bool) bool {
	switch t := t.Underlying().(type) {
	case *types.Struct:
		for f := range t.Fields() {
			if madeOf(f.Type(), is) {
				return true
			}
		}
		return false
	case *types.Array:
		return t.Len() > 0 && madeOf(t.Elem(), is)
	}
	return is(t.Underlying())
}

// sharesMemory reports whether a value of the type may lead to the memory of another.
func sharesMemory(t types.Type) bool {
	return madeOf(t, func(t types.Type) bool { _, basic := t.(*types.Basic); return !basic })
}

// hasPointers reports whether values of a type have pointers.
func hasPointers(t types.Type) bool {
	return madeOf(t, func(t types.Type) bool {
		b, basic := t.(*types.Basic)
		return !basic || b.Kind() == types.String || b.Kind() == types.UnsafePointer
	})
}

// mayBeNaN reports whether a value of a type may differ from itself.
func mayBeNaN(t types.Type) bool {
	return madeOf(t, func(t types.Type) bool {
		b, basic := t.(*types.Basic)
		return types.IsInterface(t) || basic && b.Info()&(types.IsFloat|types.IsComplex) != 0
	})
}

func errorType(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }
