package noreset

import (
	"go/ast"
	"go/types"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
)

// code is a package as this check looks at it.
type code struct{ pass *check.Pass }

// declared returns the declaration of a function of the package, nil if it is none, or has no body.
func (c *code) declared(fn *types.Func) *ast.FuncDecl {
	if d := syntax.Declaration(c.pass.TypesInfo, c.pass.Files, fn); d != nil && d.Body != nil {
		return d
	}
	return nil
}

// isElement reports whether an expression is an element of a map of type t.
func (c *code) isElement(e ast.Expr, t types.Type) bool {
	ix, ok := ast.Unparen(e).(*ast.IndexExpr)
	_, isMap := syntax.Pointed(t).Underlying().(*types.Map)
	return ok && isMap && c.isOf(ix.X, t)
}

// isOf reports whether an expression is a value of type t, or what it points to.
func (c *code) isOf(e ast.Expr, t types.Type) bool {
	x := c.pass.TypesInfo.TypeOf(e)
	return x != nil && (types.Identical(x, t) || types.Identical(x, syntax.Pointed(t)))
}

func hasReset(t types.Type) bool {
	reset, _, _ := types.LookupFieldOrMethod(t, true, nil, "Reset")
	_, ok := reset.(*types.Func)
	return ok
}
