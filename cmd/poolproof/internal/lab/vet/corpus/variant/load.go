package variant

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"

	"golang.org/x/tools/go/packages"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus/poolcalls"
)

// Sources reads the files of a package, by name, in the order of its syntax.
func Sources(p *packages.Package) (map[string][]byte, []string, error) {
	if len(p.CompiledGoFiles) != len(p.Syntax) {
		return nil, nil, fmt.Errorf("%s: %d files, %d of them parsed", p.PkgPath, len(p.CompiledGoFiles), len(p.Syntax))
	}
	sources := make(map[string][]byte)
	var names []string
	for _, path := range p.CompiledGoFiles {
		src, err := os.ReadFile(path)
		if err != nil {
			return nil, nil, err
		}
		name := filepath.Base(path)
		sources[name] = src
		names = append(names, name)
	}
	return sources, names, nil
}

// Sites returns the functions of a package that have a body.
func Sites(p *packages.Package, sources map[string][]byte, index *poolcalls.Index) (all []*Site) {
	for i, f := range p.Syntax {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil || p.TypesInfo.Defs[fn.Name] == nil {
				continue
			}
			all = append(all, &Site{
				Fset: p.Fset, File: f, Src: sources[filepath.Base(p.CompiledGoFiles[i])],
				Fn: fn, Info: p.TypesInfo, Pkg: p.Types, Pool: index,
			})
		}
	}
	return all
}

// Check type-checks a package.
func Check(path string, imports types.Importer, texts map[string][]byte, names []string) (*types.Package, []types.Error) {
	fset := token.NewFileSet()
	var errs []types.Error
	var files []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(fset, name, texts[name], parser.SkipObjectResolution)
		if err != nil {
			return nil, []types.Error{{Fset: fset, Pos: token.NoPos, Msg: err.Error()}}
		}
		files = append(files, f)
	}
	conf := types.Config{
		Importer: imports,
		Error: func(err error) {
			if e := (types.Error{}); errors.As(err, &e) {
				errs = append(errs, e)
			}
		},
	}
	pkg, _ := conf.Check(path, fset, files, nil)
	return pkg, errs
}

// Imports are the packages that p imports, for Check.
func Imports(p *packages.Package) types.Importer {
	known := make(importer)
	packages.Visit([]*packages.Package{p}, nil, func(p *packages.Package) { known[p.PkgPath] = p.Types })
	for path, q := range p.Imports {
		known[path] = q.Types // a vendored package has another path
	}
	return known
}

type importer map[string]*types.Package

func (m importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p := m[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("package %s is not imported by the corpus", path)
}
