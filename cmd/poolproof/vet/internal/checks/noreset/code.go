package noreset

import (
	"go/ast"
	"go/types"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
)

// code is the functions of a package as this check looks at them.
type code struct {
	pass   *check.Pass
	bodies map[*types.Func]*ast.FuncDecl
}

func codeOf(p *check.Pass) *code {
	c := &code{p, map[*types.Func]*ast.FuncDecl{}}
	for fn := range p.Funcs() {
		if obj, ok := p.TypesInfo.Defs[fn.Name].(*types.Func); ok {
			c.bodies[obj] = fn
		}
	}
	return c
}

// isElement reports whether an expression is an element of a map of type t.
func (c *code) isElement(e ast.Expr, t types.Type) bool {
	ix, ok := ast.Unparen(e).(*ast.IndexExpr)
	_, isMap := check.Elem(t).Underlying().(*types.Map)
	return ok && isMap && c.isOf(ix.X, t)
}

// isOf reports whether an expression is a value of type t, or what it points to.
func (c *code) isOf(e ast.Expr, t types.Type) bool {
	x := c.pass.TypesInfo.TypeOf(e)
	return x != nil && (types.Identical(x, t) || types.Identical(x, check.Elem(t)))
}

func hasReset(t types.Type) bool {
	reset, _, _ := types.LookupFieldOrMethod(t, true, nil, "Reset")
	_, ok := reset.(*types.Func)
	return ok
}
