package unpool

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// isPool reports whether t is a pool, or a pointer to it.
func isPool(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	return isPoolValue(t)
}

func isPoolValue(t types.Type) bool { return kindOf(t) != nil }

// holdsPools reports whether a variable of type t is a pool, a pointer to one, or a
// set of them.
func holdsPools(t types.Type) bool { return syntax.Holds(t, true, isPoolValue) }

// holdsValues reports whether a variable of type t has pools from its beginning, without a New.
func holdsValues(t types.Type) bool { return syntax.Holds(t, false, isPoolValue) }

// key names a variable, a field or the result of a function in the same way in all
// packages of a program, whether they saw its source or its export data.
type key string

// keyOf is the key of a variable that is declared somewhere in the program.
func keyOf(fset *token.FileSet, v *types.Var) key {
	v = v.Origin()
	switch {
	case v.Pkg() == nil:
		return ""
	case v.IsField():
		if owner := syntax.Owner(v); owner != nil {
			return key(v.Pkg().Path() + "." + owner.Name() + "." + v.Name())
		}
	case v.Parent() == v.Pkg().Scope():
		return key(v.Pkg().Path() + "." + v.Name())
	}
	return key(fmt.Sprintf("%v", fset.PositionFor(v.Pos(), false)))
}

// resultKey is the key of what a function returns.
func resultKey(fn *types.Func) key { return key("result of " + fn.Origin().FullName()) }

// several reports whether t is more than one value, with a pool among them.
func several(t types.Type) bool {
	tuple, ok := t.(*types.Tuple)
	return ok && slices.ContainsFunc(slices.Collect(tuple.Variables()), func(v *types.Var) bool { return holdsPools(v.Type()) })
}

// embedded is the last field of a path of embedded fields.
func embedded(t types.Type, index []int) (field *types.Var) {
	for _, i := range index {
		field = syntax.Pointed(t).Underlying().(*types.Struct).Field(i)
		t = field.Type()
	}
	return field
}
