package check

import (
	"go/ast"
	"go/types"
	"iter"
)

// Inspect calls f with each node of the package, as [ast.Inspect] does.
func (p *Pass) Inspect(f func(n ast.Node) bool) {
	for _, file := range p.Files {
		ast.Inspect(file, f)
	}
}

// Funcs returns the declared functions that have a body.
func (p *Pass) Funcs() iter.Seq[*ast.FuncDecl] {
	return func(yield func(*ast.FuncDecl) bool) {
		for _, file := range p.Files {
			for _, d := range file.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && !yield(fn) {
					return
				}
			}
		}
	}
}

// Around returns the declared function in which a node stands, nil if there is none.
func (p *Pass) Around(n ast.Node) *ast.FuncDecl {
	for fn := range p.Funcs() {
		if fn.Pos() <= n.Pos() && n.End() <= fn.End() {
			return fn
		}
	}
	return nil
}

// Builtin returns the name of the builtin function that an expression calls, "" if it does
// not.
func (p *Pass) Builtin(e ast.Expr) string {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
			if b, ok := p.TypesInfo.Uses[id].(*types.Builtin); ok {
				return b.Name()
			}
		}
	}
	return ""
}
