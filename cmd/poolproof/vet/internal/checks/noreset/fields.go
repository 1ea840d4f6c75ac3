package noreset

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// fields returns the fields of structs of type t that a function sets on some of
// its paths only: on the others, they are what the last user left. always is
// set if the function, or one that it calls, makes the struct as new.
func (c *code) fields(fn *ast.FuncDecl, t types.Type) (sometimes []string, always bool) {
	if _, ok := syntax.Pointed(t).Underlying().(*types.Struct); !ok {
		return nil, true
	}
	every, some := map[string]bool{}, map[string]bool{}
	ast.PreorderStack(fn.Body, nil, func(n ast.Node, path []ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			always = always || c.resets(n, t) || c.calls(n, t, 1)
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				switch l := ast.Unparen(l).(type) {
				case *ast.StarExpr:
					always = always || c.isOf(l.X, t)
				case *ast.SelectorExpr:
					if n.Tok == token.ASSIGN && c.isOf(l.X, t) {
						if conditional(path) {
							some[l.Sel.Name] = true
						} else {
							every[l.Sel.Name] = true
						}
					}
				}
			}
		}
		return true
	})
	// Where nothing is set on all paths, another function fills the struct.
	for name := range some {
		if !every[name] && len(every) > 0 {
			sometimes = append(sometimes, name)
		}
	}
	return sometimes, always
}

// conditional reports whether a place is not on every path through a function.
func conditional(path []ast.Node) bool {
	for _, n := range path {
		switch n.(type) {
		case *ast.IfStmt, *ast.CaseClause, *ast.CommClause, *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
			return true
		}
	}
	return false
}
