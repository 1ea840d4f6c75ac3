package pooldecl

import (
	"go/ast"
	"go/token"
)

// isNew reports whether a value is made on the spot. Without a value, a
// variable is its own.
func isNew(value ast.Expr) bool {
	if value == nil {
		return true
	}
	switch e := ast.Unparen(value).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.UnaryExpr:
		return e.Op == token.AND && isNew(e.X)
	case *ast.CallExpr:
		id, ok := e.Fun.(*ast.Ident)
		return ok && id.Name == "new"
	}
	return false
}

// literalOf returns the composite literal that e is, or has the address of; nil if it is none.
func literalOf(e ast.Expr) *ast.CompositeLit {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return e
	case *ast.UnaryExpr:
		return literalOf(e.X)
	}
	return nil
}
