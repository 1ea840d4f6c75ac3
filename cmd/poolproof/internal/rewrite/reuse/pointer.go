package reuse

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// byPointer makes a pointer of a variable, in each use of it; or says why it cannot be one.
func byPointer(in *source, l *local, v *Variant) (why string) {
	t := l.v.Type()
	_, deep := t.Underlying().(*types.Pointer)
	deep = deep || types.IsInterface(t)
	syntax.Inspect(l.body, func(path []ast.Node) bool {
		id, ok := path[len(path)-1].(*ast.Ident)
		if !ok || in.info.Uses[id] != l.v {
			return true
		}
		i := len(path) - 2
		for inside[*ast.ParenExpr](path[i : i+1]) {
			i--
		}
		switch p := path[i].(type) {
		case *ast.UnaryExpr:
			if p.Op == token.AND {
				v.put(p.Pos(), p.X.Pos(), "")
				return true
			}
		case *ast.SelectorExpr:
			if !deep {
				return true
			}
		case *ast.AssignStmt:
			if p.Tok == token.DEFINE && slices.Contains(p.Lhs, ast.Expr(id)) {
				why = fmt.Sprintf("%s is assigned by :=, beside new variables", id.Name)
			}
		}
		text := "(*" + id.Name + ")"
		switch path[len(path)-2].(type) {
		case *ast.AssignStmt, *ast.CallExpr, *ast.ReturnStmt:
			text = "*" + id.Name
		}
		v.put(id.Pos(), id.End(), text)
		return true
	})
	return why
}
