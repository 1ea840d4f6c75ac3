package rooms

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"
)

// Module is the source of packages of a module, type-checked. What they use of each
// other is one object.
type Module []*packages.Package

// Load reads the packages of a module that match the patterns, as the go command
// does in dir. A package that does not compile is an error.
func Load(ctx context.Context, dir string, patterns ...string) (Module, error) {
	cfg := &packages.Config{Context: ctx, Dir: dir, Mode: packages.LoadSyntax | packages.NeedModule}
	loaded, err := packages.Load(cfg, patterns...)
	if err != nil {
		return nil, err
	}
	for _, l := range loaded {
		for _, e := range l.Errors {
			return nil, fmt.Errorf("%s: %w", l.PkgPath, e)
		}
	}
	return loaded, nil
}

// Count counts the packages, in the order of their import paths.
func (m Module) Count() []Package {
	depths := map[string]int{}
	var list []Package
	for _, l := range m {
		p := count(l)
		p.Depth = depth(l, depths)
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b Package) int { return cmp.Compare(a.Path, b.Path) })
	return list
}

// count finds the arrows and the methods of one package.
func count(l *packages.Package) Package {
	p := Package{Path: l.PkgPath, Methods: methods(l)}
	fileOf := func(pos token.Pos) string { return filepath.Base(l.Fset.PositionFor(pos, false).Filename) }
	var files []string
	names := map[[2]string]string{} // of one object, by the arrow's ends
	for _, f := range l.Syntax {
		from := fileOf(f.FileStart)
		files = append(files, from)
		look := func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			o := l.TypesInfo.Uses[id]
			if o == nil || o.Pkg() != l.Types || !declared(o) {
				return true
			}
			if fn, ok := o.(*types.Func); ok {
				o = fn.Origin()
			}
			if to := fileOf(o.Pos()); to != from && names[[2]string{from, to}] == "" {
				names[[2]string{from, to}] = title(o)
			}
			return true
		}
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok { // a receiver says no more than where the method belongs
				ast.Inspect(fd.Type, look)
				if fd.Body != nil {
					ast.Inspect(fd.Body, look)
				}
				continue
			}
			ast.Inspect(d, look)
		}
	}
	p.arrange(files, names)
	return p
}

// arrange puts the files into their order, and the arrows with them.
func (p *Package) arrange(files []string, names map[[2]string]string) {
	slices.Sort(files)
	place := map[string]int{}
	for i, f := range files {
		place[f] = i
	}
	graph := make([][]int, len(files))
	for ends := range names {
		graph[place[ends[0]]] = append(graph[place[ends[0]]], place[ends[1]])
	}
	for i, at := range Order(graph) {
		p.Files = append(p.Files, files[at])
		place[files[at]] = i
	}
	for ends, name := range names {
		a := Arrow{From: ends[0], To: ends[1], Name: name, Back: place[ends[1]] < place[ends[0]]}
		if a.Back {
			p.Back++
		}
		p.Arrows = append(p.Arrows, a)
	}
	slices.SortFunc(p.Arrows, func(a, b Arrow) int {
		return cmp.Or(place[a.From]-place[b.From], place[a.To]-place[b.To])
	})
}

// declared reports whether an object is declared by the package itself, and not
// within a function or a type: a method of an interface is not, nor is a field.
func declared(o types.Object) bool {
	if fn, ok := o.(*types.Func); ok {
		recv := fn.Signature().Recv()
		return recv == nil || !types.IsInterface(recv.Type())
	}
	return o.Parent() == o.Pkg().Scope()
}

// title is an object's name, with its type's where it is a method.
func title(o types.Object) string {
	fn, ok := o.(*types.Func)
	if !ok || fn.Signature().Recv() == nil {
		return o.Name()
	}
	if n := named(fn.Signature().Recv().Type()); n != nil {
		return n.Obj().Name() + "." + fn.Name()
	}
	return fn.Name()
}

// depth is the longest chain of imports below a package within its module.
func depth(l *packages.Package, known map[string]int) int {
	if d, ok := known[l.PkgPath]; ok {
		return d
	}
	d := 0
	for _, i := range l.Imports {
		if i.Module != nil && l.Module != nil && i.Module.Path == l.Module.Path {
			d = max(d, 1+depth(i, known))
		}
	}
	known[l.PkgPath] = d
	return d
}
