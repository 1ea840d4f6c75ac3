package syntax

import (
	"go/ast"
	"go/types"
)

// Declaration is that of a function in some files; nil if it is in none of them.
func Declaration(info *types.Info, files []*ast.File, fn *types.Func) *ast.FuncDecl {
	for _, f := range files {
		if fn.Pos() < f.FileStart || f.FileEnd < fn.Pos() {
			continue
		}
		for _, d := range f.Decls {
			if decl, ok := d.(*ast.FuncDecl); ok && info.Defs[decl.Name] == fn.Origin() {
				return decl
			}
		}
	}
	return nil
}

// Body is that of a function that an expression is: a literal, or one that some files declare;
// nil for others.
func Body(info *types.Info, files []*ast.File, e ast.Expr) *ast.BlockStmt {
	var name *ast.Ident
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		return e.Body
	case *ast.Ident:
		name = e
	case *ast.SelectorExpr:
		name = e.Sel
	}
	if fn, ok := info.Uses[name].(*types.Func); ok {
		if decl := Declaration(info, files, fn); decl != nil {
			return decl.Body
		}
	}
	return nil
}
