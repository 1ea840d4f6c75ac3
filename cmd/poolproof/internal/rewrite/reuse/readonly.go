package reuse

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// readOnly reports whether what is assigned is a new variable through which nothing is
// written, and whose room nothing asks for: a copy may then take its place.
func readOnly(info *types.Info, p *ast.AssignStmt, body ast.Node) bool {
	if p.Tok != token.DEFINE || len(p.Lhs) != 1 {
		return p.Tok == token.ASSIGN && len(p.Lhs) == 1 && stored(p.Lhs[0])
	}
	id, ok := p.Lhs[0].(*ast.Ident)
	if !ok {
		return false
	}
	v := info.Defs[id]
	if v == nil {
		return false
	}
	of := func(e ast.Expr) bool {
		root, _ := rootOf(e)
		return root != nil && info.Uses[root] == v
	}
	element := func(e ast.Expr) bool {
		_, indexed := rootOf(e)
		return indexed && of(e)
	}
	for n := range ast.Preorder(body) {
		written := false
		switch n := n.(type) {
		case *ast.AssignStmt:
			written = slices.ContainsFunc(n.Lhs, element)
		case *ast.IncDecStmt:
			written = element(n.X)
		case *ast.UnaryExpr:
			written = n.Op == token.AND && of(n.X)
		case *ast.SliceExpr:
			written = !within(n) && of(n.X)
		case *ast.CallExpr:
			written = slices.Contains([]string{"append", "copy", "clear", "cap"}, builtinOf(info, n)) && of(n.Args[0])
		}
		if written {
			return false
		}
	}
	return true
}

// within reports whether a part of a slice ends where the slice does, or where something ends that is
// likely to be in it: beyond that, there is room that it may have or not.
func within(e *ast.SliceExpr) bool {
	all := types.ExprString(whole(e))
	var ends func(to ast.Expr) bool
	ends = func(to ast.Expr) bool {
		switch to := ast.Unparen(to).(type) {
		case nil:
			return true
		case *ast.BinaryExpr:
			return to.Op == token.SUB && ends(to.X)
		case *ast.CallExpr:
			f, buffer := types.ExprString(to.Fun), strings.TrimSuffix(all, "Bytes()")
			return f == "len" || buffer != all && f == buffer+"Len"
		}
		return false
	}
	return ends(e.High) && ends(e.Max)
}

// stored reports whether an assignment goes to a field or an element: to read it later.
func stored(e ast.Expr) bool {
	switch ast.Unparen(e).(type) {
	case *ast.SelectorExpr, *ast.IndexExpr:
		return true
	}
	return false
}

// rootOf is the variable that an expression begins with. indexed: something inside of it is
// meant.
func rootOf(e ast.Expr) (id *ast.Ident, indexed bool) {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x, indexed
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e, indexed = x.X, true
		case *ast.SliceExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e, indexed = x.X, true
		default:
			return nil, indexed
		}
	}
}

// variableOf is the variable or field that an expression names; nil for others.
func variableOf(info *types.Info, e ast.Expr) *types.Var {
	var obj types.Object
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if obj = info.Uses[e]; obj == nil {
			obj = info.Defs[e]
		}
	case *ast.SelectorExpr:
		if pure(e) {
			obj = info.Uses[e.Sel]
		}
	}
	if v, ok := obj.(*types.Var); ok {
		return v.Origin()
	}
	return nil
}

// back is the variable or field that an expression, or a part of its slice, is assigned to again; nil if
// it goes elsewhere.
func back(info *types.Info, to, from ast.Expr) *types.Var {
	from = whole(from)
	if v := variableOf(info, to); v != nil && variableOf(info, from) == v && types.ExprString(ast.Unparen(to)) == types.ExprString(from) {
		return v
	}
	return nil
}

// whole is the slice that an expression is a part of.
func whole(e ast.Expr) ast.Expr {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		default:
			return e
		}
	}
}

// ofValue reports whether an expression is a field, or a part of it, of something that is no pointer.
func ofValue(info *types.Info, e ast.Expr) bool {
	sel, ok := whole(e).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	_, pointer := core(info, sel.X).(*types.Pointer)
	return !pointer
}

// inside reports whether a path has a node of a kind.
func inside[N ast.Node](path []ast.Node) bool {
	return slices.ContainsFunc(path, func(n ast.Node) bool { _, ok := n.(N); return ok })
}

// appends reports whether a node appends to a variable.
func appends(info *types.Info, in ast.Node, v *types.Var) bool {
	for n := range ast.Preorder(in) {
		if call, ok := n.(*ast.CallExpr); ok && builtinOf(info, call) == "append" && len(call.Args) > 0 {
			if root, _ := rootOf(call.Args[0]); root != nil && (variableOf(info, root) == v || variableOf(info, call.Args[0]) == v) {
				return true
			}
		}
	}
	return false
}

// assigns reports whether the expression path[i] is a part of what a statement assigns to.
func assigns(path []ast.Node, i int) bool {
	for ; i > 0; i-- {
		switch p := path[i-1].(type) {
		case *ast.AssignStmt:
			return slices.Contains(p.Lhs, path[i].(ast.Expr))
		case *ast.IncDecStmt:
			return true
		case *ast.RangeStmt:
			return p.Key == path[i] || p.Value == path[i]
		case *ast.SelectorExpr, *ast.IndexExpr, *ast.ParenExpr, *ast.StarExpr:
		default:
			return false
		}
	}
	return false
}
