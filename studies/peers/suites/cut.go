package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// cut is a test file of a suite with what does not apply taken away.
type cut struct {
	text    []byte
	tests   []string // functions that go test runs
	helpers bool     // something else is left
	dropped int      // tests that do not apply
}

// cut takes the benchmarks, the examples and what does not apply from a file,
// and the imports that only these used; the rest becomes a part of the
// adapter's package, suite.
func (s suite) cut(name, text string) (c cut, err error) {
	for _, edit := range s.edits {
		if !strings.Contains(text, edit[0]) {
			return c, fmt.Errorf("%s has no %q to be edited", name, edit[0])
		}
		text = strings.ReplaceAll(text, edit[0], edit[1])
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, parser.ParseComments)
	if err != nil {
		return c, err
	}
	file.Name.Name = "suite"
	var left []ast.Decl
	var gone []ast.Node
	for _, decl := range file.Decls {
		f, isFunc := decl.(*ast.FuncDecl)
		switch {
		case isImport(decl):
			left = append(left, decl)
		case isFunc && (strings.HasPrefix(f.Name.Name, "Benchmark") || strings.HasPrefix(f.Name.Name, "Example")):
			gone = append(gone, decl)
		case !s.keeps(name, decl):
			gone = append(gone, decl)
			if isFunc && isTest(f.Name.Name) {
				c.dropped++
			}
		default:
			left = append(left, decl)
			if isFunc && f.Recv == nil && isTest(f.Name.Name) {
				c.tests = append(c.tests, f.Name.Name)
			} else {
				c.helpers = true
			}
		}
	}
	file.Decls = left
	file.Comments = slices.DeleteFunc(file.Comments, func(g *ast.CommentGroup) bool {
		return slices.ContainsFunc(gone, func(n ast.Node) bool {
			from := n.Pos()
			if f, ok := n.(*ast.FuncDecl); ok && f.Doc != nil {
				from = f.Doc.Pos()
			}
			return from <= g.Pos() && g.End() <= n.End()
		})
	})
	dropImports(file)
	var out bytes.Buffer
	if err := format.Node(&out, set, file); err != nil {
		return c, fmt.Errorf("%s: %w", name, err)
	}
	c.text = out.Bytes()
	return c, nil
}

func isTest(name string) bool { return strings.HasPrefix(name, "Test") && name != "TestMain" }

func isImport(decl ast.Decl) bool {
	g, ok := decl.(*ast.GenDecl)
	return ok && g.Tok == token.IMPORT
}

// keeps reports whether a declaration of a file applies.
func (s suite) keeps(file string, decl ast.Decl) bool {
	names := declared(decl)
	if s.keep != nil {
		return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(s.keep, n) })
	}
	for _, d := range s.drop {
		for _, t := range d.tests {
			if t == "*" || t == file+"*" || slices.Contains(names, t) {
				return false
			}
		}
	}
	return !slices.Contains(names, "TestMain")
}

// declared returns the names of a declaration; of a method, its receiver too.
func declared(decl ast.Decl) (names []string) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		names = append(names, d.Name.Name)
		if d.Recv != nil {
			t := d.Recv.List[0].Type
			if star, ok := t.(*ast.StarExpr); ok {
				t = star.X
			}
			if id, ok := t.(*ast.Ident); ok {
				names = append(names, id.Name)
			}
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, spec.Name.Name)
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					names = append(names, id.Name)
				}
			}
		}
	}
	return names
}

// dropImports takes away the imports whose names the file does not use.
func dropImports(file *ast.File) {
	used := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok {
				used[id.Name] = true
			}
		}
		return true
	})
	for _, decl := range file.Decls {
		g, ok := decl.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		g.Specs = slices.DeleteFunc(g.Specs, func(spec ast.Spec) bool {
			im := spec.(*ast.ImportSpec)
			p, _ := strconv.Unquote(im.Path.Value)
			name := path.Base(p)
			if im.Name != nil {
				name = im.Name.Name
			}
			return name != "_" && name != "." && !used[name]
		})
	}
	file.Decls = slices.DeleteFunc(file.Decls, func(d ast.Decl) bool { return isImport(d) && len(d.(*ast.GenDecl).Specs) == 0 })
}
