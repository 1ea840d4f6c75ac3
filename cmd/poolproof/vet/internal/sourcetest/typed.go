package sourcetest

import (
	"go/ast"
	"go/token"
	"go/types"
	"runtime"

	"golang.org/x/tools/go/packages"
)

// Importer is a function that imports packages.
type Importer func(path string) (*types.Package, error)

// Import calls f.
func (f Importer) Import(path string) (*types.Package, error) { return f(path) }

// Check type-checks files as the package of that path and puts what comes out
// into p, all that an analyzer may ask for. The imports of p are left as they are.
func Check(p *packages.Package, path string, fset *token.FileSet, files []*ast.File, imports Importer) error {
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object),
		Implicits: make(map[ast.Node]types.Object), Instances: make(map[*ast.Ident]types.Instance), Scopes: make(map[ast.Node]*types.Scope),
		Selections: make(map[*ast.SelectorExpr]*types.Selection), FileVersions: make(map[*ast.File]string),
	}
	sizes := types.SizesFor("gc", runtime.GOARCH)
	conf := types.Config{Importer: imports, Sizes: sizes}
	pkg, err := conf.Check(path, fset, files, info)
	if err != nil {
		return err
	}
	p.Fset, p.Syntax, p.Types, p.TypesInfo, p.TypesSizes = fset, files, pkg, info, sizes
	return nil
}
