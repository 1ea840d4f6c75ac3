package fields

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// ownDirective is the comment on a field that declares that its arrays belong to the object.
const ownDirective = "//poolproof:own"

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

// declaredOwn notes fields with the directive.
func (s *scan) declaredOwn(file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		st, ok := spec.Type.(*ast.StructType)
		if !ok {
			return true
		}
		for _, f := range st.Fields.List {
			if !hasDirective(f.Doc) && !hasDirective(f.Comment) {
				continue
			}
			for _, name := range f.Names {
				s.facts.Owned = append(s.facts.Owned, s.pkg+"."+spec.Name.Name+"."+name.Name)
			}
		}
		return true
	})
}

func hasDirective(g *ast.CommentGroup) bool {
	return g != nil && slices.ContainsFunc(g.List, func(c *ast.Comment) bool {
		return c.Text == ownDirective || strings.HasPrefix(c.Text, ownDirective+" ")
	})
}

func isLiteral(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.BasicLit)
	return ok
}
