package checktest

import (
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/tools/go/packages"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/facts"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/sourcetest"
)

// load returns packages below dir/src, with all that they import, so that facts of
// the standard library are learned too. Packages in which nothing is learned are
// known by their types alone, as the go command has compiled them: the runtime
// would be most of what there is to read.
func load(dir string, names []string) ([]*packages.Package, error) {
	cfg := &packages.Config{
		Mode: packages.NeedName | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps | packages.NeedExportFile,
		Dir:  dir,
		Env:  append(os.Environ(), "GOPATH="+dir, "GO111MODULE=off", "GOWORK=off", "GOFLAGS="),
	}
	roots, err := packages.Load(cfg, names...)
	if err != nil {
		return nil, err
	}
	l := &loader{fset: token.NewFileSet(), exports: make(map[string]string)}
	l.compiled = importer.ForCompiler(l.fset, "gc", l.export)
	var errs []error
	packages.Visit(roots, nil, func(p *packages.Package) {
		l.exports[p.PkgPath] = p.ExportFile
		for _, err := range p.Errors {
			errs = append(errs, err)
		}
	})
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	packages.Visit(roots, func(p *packages.Package) bool { return !facts.Skipped(p.PkgPath) }, func(p *packages.Package) {
		errs = append(errs, l.check(p))
	})
	return roots, errors.Join(errs...)
}

type loader struct {
	fset     *token.FileSet
	exports  map[string]string // files of types, by the path of the package
	compiled types.Importer    // reads them
}

func (l *loader) export(path string) (io.ReadCloser, error) { return os.Open(l.exports[path]) }

// check gives p its types, those of its imports being there already.
func (l *loader) check(p *packages.Package) (err error) {
	if facts.Skipped(p.PkgPath) {
		p.Types, err = l.compiled.Import(p.PkgPath)
		return err
	}
	var files []*ast.File
	for _, name := range p.CompiledGoFiles {
		if filepath.Ext(name) != ".go" {
			continue
		}
		file, err := parser.ParseFile(l.fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	err = sourcetest.Check(p, p.PkgPath, l.fset, files, func(path string) (*types.Package, error) {
		if imported := p.Imports[path]; imported != nil {
			return imported.Types, nil
		}
		return nil, fmt.Errorf("%s imports %s, of which nothing is known", p.PkgPath, path)
	})
	// Nobody asks for facts where there are none.
	for path, imported := range p.Imports {
		if facts.Skipped(imported.PkgPath) {
			delete(p.Imports, path)
		}
	}
	return err
}
