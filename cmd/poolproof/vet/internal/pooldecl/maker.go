package pooldecl

import (
	"go/ast"
	"go/types"
)

// Makers are the functions of a package that do nothing but return a new pool, with its literal,
// or nil for new(sync.Pool). A call of one makes the same pool as its literal.
type Makers map[*types.Func]*ast.CompositeLit

// MakersOf finds those of some files.
func MakersOf(info *types.Info, files []*ast.File) Makers {
	m := Makers{}
	for _, f := range files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil || len(fn.Body.List) != 1 {
				continue
			}
			ret, ok := fn.Body.List[0].(*ast.ReturnStmt)
			if !ok || len(ret.Results) != 1 {
				continue
			}
			obj, _ := info.Defs[fn.Name].(*types.Func)
			if t := info.TypeOf(ret.Results[0]); obj != nil && t != nil && IsPool(t) && isNew(ret.Results[0]) {
				m[obj] = literalOf(ret.Results[0])
			}
		}
	}
	return m
}

// made returns the literal that a call makes, and whether e is a call of a maker.
func (m Makers) made(info *types.Info, e ast.Expr) (lit *ast.CompositeLit, ok bool) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return nil, false
	}
	var name *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		name = fun
	case *ast.SelectorExpr:
		name = fun.Sel
	default:
		return nil, false
	}
	fn, ok := info.Uses[name].(*types.Func)
	if !ok {
		return nil, false
	}
	lit, ok = m[fn.Origin()]
	return lit, ok
}
