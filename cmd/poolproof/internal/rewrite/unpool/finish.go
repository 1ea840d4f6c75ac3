package unpool

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/packages"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/rewrite/edit"
)

// finish checks the types of the packages with their new texts. It adds the imports
// that are missing in files, takes away those that are not used, and returns the
// variables that are declared and not used. Another error is a defect of the edit.
func (p *program) finish(pool *Pool, files map[string][]byte) (unused []variable, err error) {
	var done []*packages.Package
	for _, u := range pool.uses {
		if slices.Contains(done, u.pkg) {
			continue
		}
		done = append(done, u.pkg)
		names, err := p.check(pool, u.pkg, files)
		if err != nil {
			return nil, err
		}
		unused = append(unused, names...)
	}
	return unused, nil
}

// variable is one of a function.
type variable struct{ file, function, name string }

// functionOf is the name of the function of a file that has a position in it.
func functionOf(file *ast.File, at token.Pos) string {
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Pos() <= at && at < fn.End() {
			return types.ExprString(fn.Name) + receiver(fn)
		}
	}
	return ""
}

func receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return ""
	}
	return " of " + types.ExprString(fn.Recv.List[0].Type)
}

// check does so for one package.
func (p *program) check(pool *Pool, pkg *packages.Package, files map[string][]byte) (unused []variable, err error) {
	fset := token.NewFileSet()
	syntax := map[string]*ast.File{}
	var all []*ast.File
	for _, name := range pkg.CompiledGoFiles {
		text, changed := files[name]
		if !changed {
			if text, err = os.ReadFile(name); err != nil {
				return nil, err
			}
		}
		f, err := parser.ParseFile(fset, name, text, parser.ParseComments)
		if err != nil {
			return nil, fmt.Errorf("the edited file does not parse: %w", err)
		}
		if changed {
			p.addImports(pool, pkg, fset, f, name)
		}
		syntax[name] = f
		all = append(all, f)
	}
	unusedImports := map[string][]token.Pos{}
	var trouble error
	conf := types.Config{
		Importer: loaded{pkg.Types}, Sizes: pkg.TypesSizes, GoVersion: goVersion(pkg), FakeImportC: true,
		Error: func(err error) {
			e, ok := err.(types.Error)
			name := fset.PositionFor(e.Pos, false).Filename
			switch {
			case ok && unusedName(e.Msg) != "":
				unused = append(unused, variable{name, functionOf(syntax[name], e.Pos), unusedName(e.Msg)})
			case ok && strings.Contains(e.Msg, "imported ") && strings.HasSuffix(e.Msg, "not used"):
				unusedImports[name] = append(unusedImports[name], e.Pos)
			case trouble == nil:
				trouble = err
			}
		},
	}
	_, _ = conf.Check(pkg.PkgPath, fset, all, nil)
	if trouble != nil {
		return nil, fmt.Errorf("the edited package does not compile: %w", trouble)
	}
	for name := range files {
		f := syntax[name]
		if f == nil {
			continue
		}
		for _, spec := range slices.Clone(f.Imports) {
			if !slices.ContainsFunc(unusedImports[name], func(at token.Pos) bool { return spec.Pos() <= at && at < spec.End() }) {
				continue
			}
			path, as := "", ""
			if spec.Name != nil {
				as = spec.Name.Name
			}
			if path, err = strconv.Unquote(spec.Path.Value); err == nil {
				astutil.DeleteNamedImport(fset, f, as, path)
			}
		}
		old, _ := os.ReadFile(name)
		text, err := edit.Format(fset, f, bytes.Contains(old, []byte("\r\n")))
		if err != nil {
			return nil, err
		}
		files[name] = text
	}
	return unused, nil
}

// unusedName is the variable that a message calls unused: one of a type switch has words of its own.
func unusedName(message string) string {
	if name, ok := strings.CutPrefix(message, "declared and not used: "); ok {
		return name
	}
	if name, ok := strings.CutSuffix(message, " declared and not used"); ok {
		return name
	}
	return ""
}

// addImports adds to a file the imports that New's expression needs there.
func (p *program) addImports(pool *Pool, pkg *packages.Package, fset *token.FileSet, f *ast.File, name string) {
	if len(pool.makers) != 1 || !slices.ContainsFunc(pool.uses, func(u use) bool { return !u.put && p.at(u.sel).Filename == name }) {
		return
	}
	m := pool.makers[0]
	sub, _ := substituteOf(m)
	for _, obj := range m.names(sub.node()) {
		used, ok := obj.(*types.PkgName)
		if !ok || m.pkg != pkg {
			continue
		}
		path, as := used.Imported().Path(), ""
		if used.Name() != used.Imported().Name() {
			as = used.Name()
		}
		there := slices.ContainsFunc(f.Imports, func(s *ast.ImportSpec) bool {
			got, _ := strconv.Unquote(s.Path.Value)
			return got == path && (s.Name == nil && as == "" || s.Name != nil && s.Name.Name == used.Name())
		})
		if !there { // or under another name
			astutil.AddNamedImport(fset, f, as, path)
		}
	}
}

// loaded imports what a package has imported already.
type loaded struct{ of *types.Package }

// Import returns a package that the packages of a program import.
func (l loaded) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	for _, p := range l.of.Imports() {
		if p.Path() == path {
			return p, nil
		}
	}
	return nil, fmt.Errorf("%s is not imported by %s", path, l.of.Path())
}

func goVersion(pkg *packages.Package) string {
	if pkg.Module == nil || pkg.Module.GoVersion == "" {
		return ""
	}
	return "go" + pkg.Module.GoVersion
}
