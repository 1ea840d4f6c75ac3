package fields

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
)

// typed is the syntax of a package with its types.
type typed struct {
	info *types.Info
	fset *token.FileSet
	pkg  string // its import path
	std  func(importPath string) bool
}

// scan reads one package.
type scan struct {
	*typed
	facts *Facts
}

func (s *typed) typeOf(e ast.Expr) types.Type {
	if tv, ok := s.info.Types[e]; ok {
		return tv.Type
	}
	if id, ok := e.(*ast.Ident); ok {
		if obj := s.objectOf(id); obj != nil {
			return obj.Type()
		}
	}
	return nil
}

func (s *typed) objectOf(id *ast.Ident) types.Object {
	if obj := s.info.Uses[id]; obj != nil {
		return obj
	}
	return s.info.Defs[id]
}

// variable is the variable that an expression names; nil if it names none.
func (s *typed) variable(e ast.Expr) *types.Var {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := s.objectOf(id).(*types.Var)
	return v
}

// at is a place as file:line; the file without its folder.
func (s *typed) at(n interface{ Pos() token.Pos }) string {
	p := s.fset.Position(n.Pos())
	return fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line)
}

func isLiteral(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.BasicLit)
	return ok
}
