package syntax

import (
	"go/types"
)

// Owner is the type of a package that has a field, and has a name; nil if there is none.
func Owner(field *types.Var) *types.TypeName {
	if field.Pkg() == nil {
		return nil
	}
	scope := field.Pkg().Scope()
	for _, name := range scope.Names() {
		typ, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || typ.IsAlias() {
			continue
		}
		if st, ok := typ.Type().Underlying().(*types.Struct); ok {
			for f := range st.Fields() {
				if f.Origin() == field.Origin() {
					return typ
				}
			}
		}
	}
	return nil
}

// Name is the name of a variable; a field has that of its type before it: conn.buffers.
func Name(v *types.Var) string {
	if v.IsField() {
		if owner := Owner(v); owner != nil {
			return owner.Name() + "." + v.Name()
		}
	}
	return v.Name()
}

// TypeName is the name of a type, or of the type that a pointer points to; nil where that has none in a
// package.
func TypeName(t types.Type) *types.TypeName {
	if t == nil {
		return nil
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		return n.Obj()
	}
	return nil
}

// Buffer is "bytes.Buffer" or "strings.Builder", of a type that is one or points to one; "" for others.
func Buffer(t types.Type) string {
	if n := TypeName(t); n != nil {
		switch name := n.Pkg().Path() + "." + n.Name(); name {
		case "bytes.Buffer", "strings.Builder":
			return name
		}
	}
	return ""
}

// Basic says what a basic type, or one whose underlying type is basic, is; 0 for others.
func Basic(t types.Type) types.BasicInfo {
	if t == nil {
		return 0
	}
	b, _ := t.Underlying().(*types.Basic)
	if b == nil {
		return 0
	}
	return b.Info()
}

// String reports whether values of a type are strings.
func String(t types.Type) bool { return Basic(t)&types.IsString != 0 }
