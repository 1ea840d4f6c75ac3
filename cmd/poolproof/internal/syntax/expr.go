package syntax

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Names reports whether one of some nodes names an object.
func Names[N ast.Node](info *types.Info, obj types.Object, in ...N) bool {
	for _, n := range in {
		for x := range ast.Preorder(n) {
			if id, ok := x.(*ast.Ident); ok && info.Uses[id] == obj {
				return true
			}
		}
	}
	return false
}

// Sets reports whether a node gives a variable another value, or takes its address.
func Sets(info *types.Info, in ast.Node, v *types.Var) bool {
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && info.Uses[id] == v
	}
	found := false
	for n := range ast.Preorder(in) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			found = found || slices.ContainsFunc(n.Lhs, is)
		case *ast.IncDecStmt:
			found = found || is(n.X)
		case *ast.RangeStmt:
			found = found || is(n.Key) || is(n.Value)
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && is(n.X)
		}
	}
	return found
}

// Whole strips an expression of what selects a part of its value: indices, & and *.
func Whole(e ast.Expr) ast.Expr {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.UnaryExpr:
			if x.Op != token.AND {
				return e
			}
			e = x.X
		default:
			return e
		}
	}
}

// Variable is the variable or field that an expression names, or a part of whose value it is;
// nil for others.
func Variable(info *types.Info, e ast.Expr) (v *types.Var) {
	switch e := Whole(e).(type) {
	case *ast.Ident:
		v, _ = info.ObjectOf(e).(*types.Var)
	case *ast.SelectorExpr:
		v, _ = info.ObjectOf(e.Sel).(*types.Var)
	}
	return v
}

// Field is the field of a struct literal that an element of it is for; nil if the literal is
// not a struct's.
func Field(info *types.Info, lit *ast.CompositeLit, element ast.Node) *types.Var {
	t := info.TypeOf(lit)
	if t == nil {
		return nil
	}
	st, ok := Pointed(t).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	if kv, ok := element.(*ast.KeyValueExpr); ok {
		id, ok := kv.Key.(*ast.Ident)
		if !ok {
			return nil
		}
		v, _ := info.Uses[id].(*types.Var)
		return v
	}
	if i := slices.IndexFunc(lit.Elts, func(e ast.Expr) bool { return e == element }); i >= 0 && i < st.NumFields() {
		return st.Field(i).Origin()
	}
	return nil
}

// Pointed returns the element of a pointer type, or the type itself.
func Pointed(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// Package is the import whose name an expression selects from; nil if it selects from a value.
func Package(info *types.Info, e ast.Expr) *types.PkgName {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	id, _ := sel.X.(*ast.Ident)
	p, _ := info.Uses[id].(*types.PkgName)
	return p
}
