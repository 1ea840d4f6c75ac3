package reuse

import (
	"go/ast"
	"go/token"
	"go/types"
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
	read := true
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if root, indexed := rootOf(l); indexed && info.Uses[root] == v && v != nil {
					read = false
				}
			}
		case *ast.IncDecStmt:
			if root, indexed := rootOf(n.X); indexed && info.Uses[root] == v {
				read = false
			}
		case *ast.UnaryExpr:
			if root, _ := rootOf(n.X); n.Op == token.AND && root != nil && info.Uses[root] == v {
				read = false
			}
		case *ast.CallExpr:
			b := builtinOf(info, n)
			if b == "append" || b == "copy" || b == "clear" || b == "cap" {
				if root, _ := rootOf(n.Args[0]); root != nil && info.Uses[root] == v {
					read = false
				}
			}
		}
		return true
	})
	return read && v != nil
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
