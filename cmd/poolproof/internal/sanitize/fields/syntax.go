package fields

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// truncated returns the fields that a file truncates in place, by syntax:
//
//	x.f = x.f[:0]
//	x.f = append(x.f[:0], ...)           and pkg.AppendInt(x.f[:0], ...), slices.Grow(x.f[:0], n)
//	x.f, x.g = x.f[:0], x.g[:0]
//	*x = T{f: x.f[:0]}
//
// and the same by way of a variable.
func truncated(file *ast.File) []*ast.SelectorExpr {
	var found []*ast.SelectorExpr
	ast.Inspect(file, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncDecl); ok && f.Body != nil {
			found = append(found, throughLocal(f)...)
		}
		a, ok := n.(*ast.AssignStmt)
		if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != len(a.Rhs) {
			return true
		}
		for i, left := range a.Lhs {
			switch left := ast.Unparen(left).(type) {
			case *ast.SelectorExpr:
				if kept := emptied(a.Rhs[i]); kept != nil && same(kept, left) {
					found = append(found, left)
				}
			case *ast.StarExpr:
				found = append(found, renewed(left.X, a.Rhs[i])...)
			case *ast.Ident:
				found = append(found, renewed(left, a.Rhs[i])...)
			}
		}
		return true
	})
	return found
}

// renewed returns the fields that x = T{f: x.f[:0]} keeps.
func renewed(x ast.Expr, value ast.Expr) []*ast.SelectorExpr {
	lit, ok := ast.Unparen(value).(*ast.CompositeLit)
	if !ok {
		return nil
	}
	var found []*ast.SelectorExpr
	for _, element := range lit.Elts {
		kv, ok := element.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		key, ok := kv.Key.(*ast.Ident)
		if !ok {
			continue
		}
		kept, ok := emptied(kv.Value).(*ast.SelectorExpr)
		if ok && kept.Sel.Name == key.Name && same(kept.X, x) {
			found = append(found, kept)
		}
	}
	return found
}

// emptied returns x where e is x[:0], or what appends to it; else nil.
func emptied(e ast.Expr) ast.Expr {
	switch e := ast.Unparen(e).(type) {
	case *ast.SliceExpr:
		if !e.Slice3 && (e.Low == nil || zero(e.Low)) && zero(e.High) {
			return ast.Unparen(e.X)
		}
	case *ast.CallExpr:
		if len(e.Args) > 0 && extends(e.Fun) {
			return emptied(e.Args[0])
		}
	}
	return nil
}

// extends reports whether a function returns its first argument, extended. Those
// named Append do, by a convention that the standard library set.
func extends(fun ast.Expr) bool {
	name := ""
	switch f := ast.Unparen(fun).(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
		if id, ok := f.X.(*ast.Ident); ok && id.Name == "slices" && name == "Grow" {
			return true
		}
	}
	return strings.HasPrefix(name, "append") || strings.HasPrefix(name, "Append")
}

func zero(e ast.Expr) bool {
	lit, ok := e.(*ast.BasicLit)
	return ok && lit.Kind == token.INT && lit.Value == "0"
}

// same reports whether two expressions read the same, parentheses and
// explicit dereferences aside.
func same(a, b ast.Expr) bool { return types.ExprString(plain(a)) == types.ExprString(plain(b)) }

func plain(e ast.Expr) ast.Expr {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return plain(x.X)
	case *ast.StarExpr:
		return plain(x.X)
	case *ast.SelectorExpr:
		return &ast.SelectorExpr{X: plain(x.X), Sel: x.Sel}
	}
	return e
}
