package reuse

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"go/version"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/rewrite/edit"
)

// source is a file of the package of a site, as variants are written into it.
type source struct {
	pkg    *packages.Package
	info   *types.Info
	file   *ast.File
	folder *folder
}

// with is another file of the package.
func (a *source) with(file *ast.File) *source { return &source{a.pkg, a.info, file, a.folder} }

// since reports whether the language version of the module is at least go1.minor.
func (a *source) since(minor int) bool {
	return a.pkg.Module != nil && version.Compare("go"+a.pkg.Module.GoVersion, fmt.Sprintf("go1.%d", minor)) >= 0
}

// anything is the empty interface as the module's language writes it.
func (a *source) anything() string {
	if a.since(18) {
		return "any"
	}
	return "interface{}"
}

// code is the source text of a node.
func (a *source) code(n ast.Node) string { return edit.New(a.pkg.Fset).Code(n) }

// renumbered reports whether lines of the file have other numbers for the compiler: //line says so.
func (a *source) renumbered() bool {
	for _, group := range a.file.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text[2:], "line ") {
				return true
			}
		}
	}
	return false
}

// short is a type as it is written in the package.
func (a *source) short(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == a.pkg.Types {
			return ""
		}
		return p.Name()
	})
}

// unnamed says why package-level code cannot name a type; "" if it can. text is the name that it would
// write, and hides are names that the code declares.
func (a *source) unnamed(t types.Type, text string, hides ...string) string {
	switch {
	case text == "":
		return fmt.Sprintf("it is of the type %s, which package-level code cannot name", a.short(t))
	case says(text, hides...):
		return fmt.Sprintf("it is of the type %s, which names that the code declares hide", text)
	}
	return ""
}

// typeHere is a type as the file writes it; "" if it cannot.
func (a *source) typeHere(t types.Type) string {
	missing := !visible(t, a.pkg.Types)
	text := types.TypeString(t, func(p *types.Package) string {
		if p == a.pkg.Types {
			return ""
		}
		as := importedAs(a.file, a.info, p.Path())
		missing = missing || as == ""
		return as
	})
	if missing {
		return ""
	}
	return text
}

// folder holds the names and files of a package's folder, which are read when they are asked for.
type folder struct {
	of     *packages.Package
	words  map[string]bool // all names in its files, other builds and tests among them
	others []*ast.File     // files of the package that this build leaves out
	parsed bool
}

// free makes a name that nothing in the files of the package's folder has.
func (a *source) free(name string) string {
	words := a.folder.words
	if words == nil {
		words = map[string]bool{}
		a.folder.words = words
		dir := filepath.Dir(a.pkg.Fset.PositionFor(a.file.Package, false).Filename)
		files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				continue
			}
			for _, word := range word.FindAllString(string(text), -1) {
				words[word] = true
			}
		}
	}
	try := name
	for n := 2; words[try]; n++ {
		try = fmt.Sprint(name, n)
	}
	return try
}

var word = regexp.MustCompile(`[\pL\p{Nd}_]+`)

// elsewhere is a file of the package, of a build other than this one, that has a name where a test says
// that it counts; "" if there is none.
func (d *folder) elsewhere(counts func(*ast.File) bool) string {
	if !d.parsed {
		d.parsed = true
		for _, name := range d.of.IgnoredFiles {
			if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(d.of.Fset, name, nil, parser.SkipObjectResolution)
			if err == nil && f.Name.Name == d.of.Name {
				d.others = append(d.others, f)
			}
		}
	}
	for _, f := range d.others {
		if counts(f) {
			return filepath.Base(d.of.Fset.PositionFor(f.Package, false).Filename)
		}
	}
	return ""
}

// declares is a file of another build that declares a function or method of a name; "" if there is none.
func (d *folder) declares(name string) string {
	return d.elsewhere(func(f *ast.File) bool {
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Name.Name == name {
				return true
			}
		}
		return false
	})
}

// mentions is a file of another build that has a name; "" if there is none.
func (d *folder) mentions(name string) string {
	return d.elsewhere(func(f *ast.File) bool {
		for n := range ast.Preorder(f) {
			if id, ok := n.(*ast.Ident); ok && id.Name == name {
				return true
			}
		}
		return false
	})
}

// every reports whether all names that a type is written with pass a test. One that cannot be written fails.
func every(t types.Type, pass func(*types.TypeName) bool) bool {
	all := func(vs func(yield func(*types.Var) bool)) bool {
		for v := range vs {
			if !every(v.Type(), pass) {
				return false
			}
		}
		return true
	}
	switch t := t.(type) {
	case *types.Basic:
		return t.Kind() != types.UnsafePointer
	case *types.TypeParam:
		return pass(t.Obj())
	case *types.Alias:
		return pass(t.Obj())
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			if !every(arg, pass) {
				return false
			}
		}
		return pass(t.Obj())
	case *types.Pointer:
		return every(t.Elem(), pass)
	case *types.Slice:
		return every(t.Elem(), pass)
	case *types.Array:
		return every(t.Elem(), pass)
	case *types.Map:
		return every(t.Key(), pass) && every(t.Elem(), pass)
	case *types.Chan:
		return every(t.Elem(), pass)
	case *types.Signature:
		return all(t.Params().Variables()) && all(t.Results().Variables())
	case *types.Struct:
		return all(t.Fields())
	case *types.Interface:
		return t.NumMethods() == 0
	}
	return false
}

// nameable reports whether package-level code can name a type: it is no type parameter, and
// not declared inside of a function.
func nameable(t types.Type) bool {
	return every(t, func(name *types.TypeName) bool { return name.Pkg() == nil || name.Parent() == name.Pkg().Scope() })
}

// visible reports whether a package may write a type: others export all that it is made of.
func visible(t types.Type, own *types.Package) bool {
	return every(t, func(name *types.TypeName) bool {
		pkg := name.Pkg()
		if pkg == nil || pkg == own {
			return true
		}
		above, _, internal := strings.Cut("/"+pkg.Path()+"/", "/internal/")
		return name.Exported() && !strings.HasPrefix(pkg.Path(), "vendor/") && (!internal || above != "" && strings.HasPrefix("/"+own.Path()+"/", above+"/"))
	})
}
