package unpool

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
)

// Source says which packages are read, and how.
type Source struct {
	Dir      string   // where the go command runs: in the module of the packages
	Patterns []string // as the go command takes them
	Tags     string   // build tags, separated by commas
	Env      []string // of the go command; nil: that of this process
}

// program is the packages of one module with their syntax and types. Test files are
// read with the package that they belong to.
type program struct {
	fset *token.FileSet
	pkgs []*packages.Package
	root string // of the module

	// Broken names the packages that do not compile, with the first error: their pools
	// are not known.
	Broken []string
}

const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
	packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule | packages.NeedForTest

// load reads the packages. The error is of the kind [fault.Code] where none of them
// compiles.
func load(ctx context.Context, s Source) (*program, error) {
	var flags []string
	if s.Tags != "" {
		flags = append(flags, "-tags="+s.Tags)
	}
	p := &program{fset: token.NewFileSet()}
	all, err := packages.Load(&packages.Config{
		Context: ctx, Mode: mode, Dir: s.Dir, Env: s.Env, BuildFlags: flags, Fset: p.fset, Tests: true,
	}, s.Patterns...)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fault.Errorf(fault.Input, "%s: %w", strings.Join(s.Patterns, " "), err)
	}
	// A package with the tests in it has all files of the package.
	withTests := map[string]bool{}
	for _, pkg := range all {
		if pkg.ForTest != "" && pkg.PkgPath == pkg.ForTest {
			withTests[pkg.PkgPath] = true
		}
	}
	for _, pkg := range all {
		if strings.HasSuffix(pkg.PkgPath, ".test") || pkg.ForTest == "" && withTests[pkg.PkgPath] || pkg.Module == nil || !pkg.Module.Main {
			continue
		}
		if len(pkg.Errors) > 0 {
			p.Broken = append(p.Broken, fmt.Sprintf("%s does not compile: %s", pkg.PkgPath, pkg.Errors[0].Msg))
			continue
		}
		p.root = cmp.Or(p.root, pkg.Module.Dir)
		p.pkgs = append(p.pkgs, pkg)
	}
	if len(p.pkgs) == 0 && len(p.Broken) > 0 {
		return nil, fault.Errorf(fault.Code, "%s", p.Broken[0])
	}
	if len(p.pkgs) == 0 {
		return nil, fault.Errorf(fault.Input, "%s: no package of the module matches", strings.Join(s.Patterns, " "))
	}
	slices.SortFunc(p.pkgs, func(a, b *packages.Package) int { return strings.Compare(a.ID, b.ID) })
	return p, nil
}

// at is the position of a node as it stands in the file, whatever //line says.
func (p *program) at(n ast.Node) token.Position { return p.fset.PositionFor(n.Pos(), false) }

// place is where a node of a package stands.
func (p *program) place(pkg *packages.Package, n ast.Node) Place {
	from, to := p.at(n), p.fset.PositionFor(n.End(), false)
	return Place{
		File: from.Filename, Package: pkg.PkgPath, Line: from.Line, Column: from.Column, EndLine: to.Line, EndCol: to.Column,
	}
}

// has reports whether a package is among those that were read.
func (p *program) has(path string) bool {
	return slices.ContainsFunc(p.pkgs, func(pkg *packages.Package) bool { return pkg.PkgPath == path })
}

// inside reports whether a file lies below the module.
func (p *program) inside(file string) bool {
	rel, err := filepath.Rel(p.root, file)
	return err == nil && filepath.IsLocal(rel)
}

// id is the place of a declaration as users write it: FILE:LINE below the module.
func (p *program) id(at token.Position) string {
	name := at.Filename
	if rel, err := filepath.Rel(p.root, name); err == nil && filepath.IsLocal(rel) {
		name = filepath.ToSlash(rel)
	}
	return fmt.Sprintf("%s:%d", name, at.Line)
}
