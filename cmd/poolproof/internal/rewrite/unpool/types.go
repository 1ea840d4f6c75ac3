package unpool

import (
	"fmt"
	"go/token"
	"go/types"
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
func holdsPools(t types.Type) bool {
	switch u := types.Unalias(t).(type) {
	case *types.Array:
		return holdsPools(u.Elem())
	case *types.Slice:
		return holdsPools(u.Elem())
	case *types.Map:
		return holdsPools(u.Elem())
	case *types.Pointer:
		return holdsPools(u.Elem())
	}
	return t != nil && isPoolValue(t)
}

// holdsValues reports whether a variable of type t has pools from its beginning, without a New.
func holdsValues(t types.Type) bool {
	switch u := types.Unalias(t).(type) {
	case *types.Array:
		return holdsValues(u.Elem())
	case *types.Slice:
		return holdsValues(u.Elem())
	case *types.Map:
		return holdsValues(u.Elem())
	}
	return isPoolValue(t)
}

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
		if owner := ownerOf(v); owner != "" {
			return key(v.Pkg().Path() + "." + owner + "." + v.Name())
		}
	case v.Parent() == v.Pkg().Scope():
		return key(v.Pkg().Path() + "." + v.Name())
	}
	return key(fmt.Sprintf("%v", fset.PositionFor(v.Pos(), false)))
}

// ownerOf is the name of the package's type that has a field; "" if it has no name.
func ownerOf(field *types.Var) string {
	scope := field.Pkg().Scope()
	for _, name := range scope.Names() {
		typ, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || typ.IsAlias() {
			continue
		}
		if st, ok := typ.Type().Underlying().(*types.Struct); ok {
			for f := range st.Fields() {
				if f.Origin() == field {
					return name
				}
			}
		}
	}
	return ""
}

// resultKey is the key of what a function returns.
func resultKey(fn *types.Func) key { return key("result of " + fn.Origin().FullName()) }
