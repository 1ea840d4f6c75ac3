package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ast/astutil"
)

// Inspect calls f with each node of the package, as [ast.Inspect] does.
func (p *Pass) Inspect(f func(n ast.Node) bool) {
	for _, file := range p.Files {
		ast.Inspect(file, f)
	}
}

// File returns the file around a position.
func (p *Pass) File(pos token.Pos) *ast.File {
	i := slices.IndexFunc(p.Files, func(f *ast.File) bool { return f.FileStart <= pos && pos < f.FileEnd })
	if i < 0 {
		return nil
	}
	return p.Files[i]
}

// Path returns the nodes around a node, from the innermost to the file.
func (p *Pass) Path(n ast.Node) (path []ast.Node) {
	if file := p.File(n.Pos()); file != nil {
		path, _ = astutil.PathEnclosingInterval(file, n.Pos(), n.End())
	}
	return path
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
