package fields

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"strings"
)

// check type-checks a package without its imports. What depends on them has no
// valid type afterwards, and is not looked at.
func check(pkgPath string, fset *token.FileSet, files []*ast.File) *types.Info {
	for _, f := range files {
		freeAssertions(f)
	}
	info := &types.Info{Selections: map[*ast.SelectorExpr]*types.Selection{}, Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{
		Importer:    stubs{},
		Error:       func(error) {}, // there will be many
		FakeImportC: true,
		Sizes:       types.SizesFor("gc", "amd64"), // they decide nothing here
	}
	_, _ = conf.Check(pkgPath, fset, files, info)
	return info
}

// freeAssertions makes x.(T) independent of x, as any(nil).(T): x may come from a
// package that is not there, as in pool.Get().(*T), and then the whole
// would have no type. Of its value nothing is asked here.
func freeAssertions(f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		if a, ok := n.(*ast.TypeAssertExpr); ok {
			at := a.X.Pos()
			a.X = &ast.CallExpr{
				Fun:  &ast.InterfaceType{Interface: at, Methods: &ast.FieldList{Opening: at, Closing: at}},
				Args: []ast.Expr{&ast.Ident{NamePos: at, Name: "nil"}}, Lparen: at, Rparen: at,
			}
		}
		return true
	})
}

// stubs imports every package as an empty one.
type stubs struct{}

func (stubs) Import(importPath string) (*types.Package, error) {
	if importPath == "unsafe" {
		return types.Unsafe, nil
	}
	p := types.NewPackage(importPath, guess(importPath))
	p.MarkComplete()
	return p, nil
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

// place is a field: a named type and a path of fields from there.
type place struct {
	named *types.Named
	path  string
}

func (p place) String() string {
	pkg := ""
	if o := p.named.Obj(); o.Pkg() != nil {
		pkg = o.Pkg().Path() + "."
	}
	return pkg + p.named.Obj().Name() + p.path
}

// names returns the names of the slice field that an expression selects.
func names(info *types.Info, sel *ast.SelectorExpr) []string {
	s := info.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal {
		return nil
	}
	switch t := s.Type().Underlying().(type) {
	case *types.Slice:
	case *types.Basic:
		if t.Kind() != types.Invalid { // the type of another package
			return nil
		}
	default:
		return nil
	}
	var all []string
	for _, p := range places(info, sel) {
		all = append(all, p.String())
	}
	return all
}

// places returns under which names the memory of the field can be met when one
// walks a pooled object: from each named struct type that holds it by value.
func places(info *types.Info, e ast.Expr) []place {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	s := info.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal {
		return nil
	}
	t := types.Unalias(s.Recv())
	var around []place
	if _, isPointer := t.(*types.Pointer); !isPointer {
		around = places(info, sel.X)
	}
	for _, i := range s.Index() {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t, around = types.Unalias(p.Elem()), nil // another object begins
		}
		if named, ok := t.(*types.Named); ok {
			around = append(around, place{named: named.Origin()})
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		next := make([]place, len(around))
		for j, p := range around {
			next[j] = place{p.named, p.path + "." + st.Field(i).Name()}
		}
		around, t = next, types.Unalias(st.Field(i).Type())
	}
	return around
}
