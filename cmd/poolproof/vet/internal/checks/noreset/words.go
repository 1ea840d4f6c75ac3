package noreset

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
)

// fresh matches the names of functions after which an object is as new, or holds
// what its user wants. bytes.Buffer.WriteTo leaves nothing in the buffer.
var fresh = regexp.MustCompile(`(?i)^(re_?set|re_?init|init|set|clear|zero|clean|wipe|truncate|empty|erase|scrub|prepare|setup|load|begin|fill|WriteTo$)`)

// resets reports whether a call makes something of type t as new: a method of it,
// or a function that it is passed to, of such a name.
func (c *code) resets(call *ast.CallExpr, t types.Type) bool {
	switch fn := ast.Unparen(call.Fun).(type) {
	case *ast.SelectorExpr:
		if fresh.MatchString(fn.Sel.Name) && c.isOf(fn.X, t) {
			return true
		}
		return fresh.MatchString(fn.Sel.Name) && c.passes(call, t)
	case *ast.Ident: // clear of a map; that of a slice leaves its length
		return fresh.MatchString(fn.Name) && c.passes(call, t)
	}
	return false
}

func (c *code) passes(call *ast.CallExpr, t types.Type) bool {
	return slices.ContainsFunc(call.Args, func(arg ast.Expr) bool { return c.isOf(arg, t) })
}

// calls reports whether a function of this package that is given something of
// type t resets such a thing.
func (c *code) calls(call *ast.CallExpr, t types.Type, depth int) bool {
	callee, ok := typeutil.Callee(c.pass.TypesInfo, call).(*types.Func)
	if !ok {
		return false
	}
	body := c.declared(callee)
	if body == nil {
		return false
	}
	sel, isMethod := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return (c.passes(call, t) || isMethod && c.isOf(sel.X, t)) && c.cleans(body, t, depth-1)
}
