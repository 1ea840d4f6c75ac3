package fields

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"
	"sync"
)

// loader parses packages and checks their types. Bodies of functions are checked only
// for the package whose facts are asked; of all others the declarations are enough.
// Of what the standard library imports nothing is looked at.
type loader struct {
	pkgs   map[string]*Package
	actual func(string) string

	mu     sync.Mutex
	decls  map[string]*declared
	prints map[string]string
}

type declared struct {
	once sync.Once
	pkg  *types.Package
}

func newLoader(pkgs []Package, actual func(string) string) *loader {
	l := &loader{pkgs: map[string]*Package{}, actual: actual, decls: map[string]*declared{}, prints: map[string]string{}}
	for i := range pkgs {
		l.pkgs[pkgs[i].Path] = &pkgs[i]
	}
	return l
}

// parsed is the syntax of a package.
type parsed struct {
	fset  *token.FileSet
	files []*ast.File
}

func (l *loader) parse(names []string, mode parser.Mode) parsed {
	p := parsed{fset: token.NewFileSet()}
	for _, name := range names {
		f, _ := parser.ParseFile(p.fset, l.actual(name), nil, mode|parser.SkipObjectResolution)
		if f != nil {
			p.files = append(p.files, f)
		}
	}
	return p
}

// importer imports for one package.
type importer struct {
	l       *loader
	shallow bool   // for a package of the standard library: everything it imports is a stub
	tests   string // the package whose tests are seen, too
}

func (i importer) Import(importPath string) (*types.Package, error) {
	if importPath == "unsafe" {
		return types.Unsafe, nil
	}
	p := i.l.pkgs[importPath]
	if p == nil || i.shallow {
		return stub(importPath), nil
	}
	return i.l.declarations(p, importPath == i.tests), nil
}

func stub(importPath string) *types.Package {
	p := types.NewPackage(importPath, guess(importPath))
	p.MarkComplete()
	return p
}

// declarations checks what a package declares.
func (l *loader) declarations(p *Package, tests bool) *types.Package {
	key := p.Path
	if tests {
		key += " with its tests"
	}
	l.mu.Lock()
	d := l.decls[key]
	if d == nil {
		d = &declared{}
		l.decls[key] = d
	}
	l.mu.Unlock()
	d.once.Do(func() {
		files := p.Files
		if tests {
			files = slices.Concat(files, p.Tests)
		}
		src := l.parse(files, 0)
		conf := config(importer{l: l, shallow: p.Standard})
		conf.IgnoreFuncBodies = true
		d.pkg, _ = conf.Check(p.Path, src.fset, src.files, nil)
	})
	if d.pkg == nil {
		return stub(p.Path)
	}
	return d.pkg
}

// whole checks a package with its tests and the bodies of its functions.
func (l *loader) whole(p *Package) (parsed, *types.Info) {
	src := l.parse(slices.Concat(p.Files, p.Tests), parser.ParseComments)
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Instances: map[*ast.Ident]types.Instance{},
	}
	imports := importer{l: l}
	if p.XTest {
		imports.tests = strings.TrimSuffix(p.Path, "_test")
	}
	conf := config(imports)
	_, _ = conf.Check(p.Path, src.fset, src.files, info)
	return src, info
}

func config(i importer) *types.Config {
	return &types.Config{
		Importer:    i,
		Error:       func(error) {}, // there may be many
		FakeImportC: true,
		Sizes:       types.SizesFor("gc", "amd64"), // they decide nothing here
	}
}

// guess is the usual name of a package with that path. A wrong guess leaves the
// name undefined, which is no worse than an empty package.
func guess(importPath string) string {
	name := path.Base(importPath)
	if len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" {
		name = path.Base(path.Dir(importPath))
	}
	name, _, _ = strings.Cut(name, ".v")
	return strings.TrimPrefix(name, "go-")
}
