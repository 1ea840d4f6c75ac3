package pooldecl

import (
	"go/ast"
	"go/types"
)

// Fresh are the variables below n that begin as a new object: a literal, the
// address of one, new(T), what a maker makes, or a zero value.
func Fresh(info *types.Info, makers Makers, n ast.Node) map[*types.Var]bool {
	fresh := map[*types.Var]bool{}
	note := func(name *ast.Ident, value ast.Expr) {
		_, made := makers.made(info, value)
		if v, ok := info.Defs[name].(*types.Var); ok && (made || isNew(value)) {
			fresh[v] = true
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) {
					note(id, n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				switch len(n.Values) {
				case 0:
					note(name, nil)
				case len(n.Names):
					note(name, n.Values[i])
				}
			}
		}
		return true
	})
	return fresh
}
