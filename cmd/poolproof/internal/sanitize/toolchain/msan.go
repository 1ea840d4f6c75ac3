package toolchain

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
)

// constant returns the value of a package-level constant's declaration.
func constant(s *overlay.Source, name string) ast.Expr {
	for _, d := range s.File().Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, spec := range g.Specs {
			if v := spec.(*ast.ValueSpec); len(v.Names) == 1 && v.Names[0].Name == name && len(v.Values) == 1 {
				return v.Values[0]
			}
		}
	}
	return nil
}

func turnOn(s *overlay.Source, name string) error {
	v := constant(s, name)
	if v == nil || s.Code(v) != "false" {
		return s.Missing("constant " + name + " that is false")
	}
	s.Replace(v.Pos(), v.End(), "true")
	return nil
}

// functions returns the functions of some names.
func functions(s *overlay.Source, names ...string) (all []*ast.FuncDecl, err error) {
	for _, name := range names {
		f := s.Func(name)
		if f == nil {
			return nil, s.Missing("function " + name)
		}
		all = append(all, f)
	}
	return all, nil
}

// msanEnabled turns the constant on and takes the functions away, which the
// hooks replace.
func msanEnabled(s *overlay.Source) error {
	if err := turnOn(s, "msanenabled"); err != nil {
		return err
	}
	replaced, err := functions(s, "msanread", "msanwrite", "msanmalloc", "msanfree", "msanmove")
	if err != nil {
		return err
	}
	for _, f := range replaced {
		s.Replace(f.Pos(), f.End(), "")
	}
	// The file's import is of no use any more, but must be used.
	s.Insert(s.File().End(), "\nvar _ unsafe.Pointer\n")
	return nil
}

// msanPackage turns the constant on, and makes Read and Write those of the
// runtime.
func msanPackage(s *overlay.Source) error {
	if err := turnOn(s, "Enabled"); err != nil {
		return err
	}
	replaced, err := functions(s, "Read", "Write")
	if err != nil {
		return err
	}
	for _, f := range replaced {
		s.Replace(f.Body.Pos(), f.Body.End(), strings.Repeat("\n", strings.Count(s.Code(f.Body), "\n")))
	}
	return nil
}
