package rooms

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"
)

// Load counts the packages that match the patterns, as the go command reads them
// in dir, in the order of their import paths. Their module is read alone, without
// a go.work. A package that does not compile is an error.
func Load(ctx context.Context, dir string, patterns ...string) ([]Package, error) {
	cfg := &packages.Config{Context: ctx, Dir: dir, Env: append(os.Environ(), "GOWORK=off"), Mode: packages.LoadSyntax | packages.NeedModule}
	loaded, err := packages.Load(cfg, patterns...)
	if err != nil {
		return nil, err
	}
	depths := map[string]int{}
	var list []Package
	for _, l := range loaded {
		for _, e := range l.Errors {
			return nil, fmt.Errorf("%s: %w", l.PkgPath, e)
		}
		p := count(l)
		p.Depth = depth(l, depths)
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b Package) int { return cmp.Compare(a.Path, b.Path) })
	return list, nil
}

// count finds the arrows and the methods of one package.
func count(l *packages.Package) Package {
	p := Package{Path: l.PkgPath, Methods: map[string]int{}}
	fileOf := func(pos token.Pos) string { return filepath.Base(l.Fset.PositionFor(pos, false).Filename) }
	var files []string
	names := map[[2]string]string{} // of one function, by the arrow's ends
	for _, f := range l.Syntax {
		from := fileOf(f.FileStart)
		files = append(files, from)
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Recv != nil {
				if fn, ok := l.TypesInfo.Defs[fd.Name].(*types.Func); ok {
					p.Methods[receiver(fn)]++
				}
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			fn, ok := l.TypesInfo.Uses[id].(*types.Func)
			if !ok || fn.Pkg() != l.Types || !declared(fn) {
				return true
			}
			fn = fn.Origin()
			if to := fileOf(fn.Pos()); to != from && names[[2]string{from, to}] == "" {
				names[[2]string{from, to}] = title(fn)
			}
			return true
		})
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

// declared reports whether a function has a declaration of its own: a method of
// an interface has none.
func declared(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	return recv == nil || !types.IsInterface(recv.Type())
}

// receiver is the name of a method's type.
func receiver(fn *types.Func) string {
	t := fn.Signature().Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name()
	}
	return t.String()
}

// title is a function's name, with its type's where it is a method.
func title(fn *types.Func) string {
	if fn.Signature().Recv() == nil {
		return fn.Name()
	}
	return receiver(fn) + "." + fn.Name()
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
