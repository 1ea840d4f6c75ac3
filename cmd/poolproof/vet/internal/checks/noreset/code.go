package noreset

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// code is the functions of a package as this check looks at them.
type code struct {
	pass   *analysis.Pass
	around map[*ast.CallExpr]*ast.FuncDecl // the declared function around a call
	bodies map[*types.Func]*ast.FuncDecl
}

func codeOf(pass *analysis.Pass) *code {
	c := &code{pass, map[*ast.CallExpr]*ast.FuncDecl{}, map[*types.Func]*ast.FuncDecl{}}
	for _, file := range pass.Files {
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			if obj, ok := pass.TypesInfo.Defs[fn.Name].(*types.Func); ok {
				c.bodies[obj] = fn
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					c.around[call] = fn
				}
				return true
			})
		}
	}
	return c
}

// isElement reports whether an expression is an element of a map of type t.
func (c *code) isElement(e ast.Expr, t types.Type) bool {
	ix, ok := ast.Unparen(e).(*ast.IndexExpr)
	_, isMap := elem(t).Underlying().(*types.Map)
	return ok && isMap && c.isOf(ix.X, t)
}

// isOf reports whether an expression is a value of type t, or what it points to.
func (c *code) isOf(e ast.Expr, t types.Type) bool {
	x := c.pass.TypesInfo.TypeOf(e)
	return x != nil && (types.Identical(x, t) || types.Identical(x, elem(t)))
}

func (c *code) builtin(call *ast.CallExpr) string {
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := c.pass.TypesInfo.Uses[id].(*types.Builtin); ok {
			return b.Name()
		}
	}
	return ""
}

// elem returns the type that a pointer points to, and any other type itself.
func elem(t types.Type) types.Type {
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		return ptr.Elem()
	}
	return t
}

func hasReset(t types.Type) bool {
	reset, _, _ := types.LookupFieldOrMethod(t, true, nil, "Reset")
	_, ok := reset.(*types.Func)
	return ok
}
