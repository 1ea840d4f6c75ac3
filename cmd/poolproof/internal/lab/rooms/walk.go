package rooms

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// Walk is a way through the code: from some functions to those that they mention, in
// the order of the source and each once, as a reader follows it who wants to know
// what happens. A stay is a run of functions of one file. A return is a stay in a
// file in which the reader was before.
type Walk struct {
	Functions, Stays, Files, Returns int
}

// Follow walks from functions, named as "import/path.Type.Method" below the module's
// path.
func (m Module) Follow(from ...string) (Walk, error) {
	r := reader{bodies: map[*types.Func]body{}, seen: map[*types.Func]bool{}, files: map[string]bool{}}
	byName := map[string]*types.Func{}
	for _, l := range m {
		for _, f := range l.Syntax {
			for _, d := range f.Decls {
				fd, ok := d.(*ast.FuncDecl)
				if !ok || fd.Body == nil {
					continue
				}
				fn := l.TypesInfo.Defs[fd.Name].(*types.Func)
				r.bodies[fn] = body{fd.Body, l, l.Fset.PositionFor(fd.Pos(), false).Filename}
				byName[l.PkgPath[min(len(l.PkgPath), len(l.Module.Path)+1):]+"."+title(fn)] = fn
			}
		}
	}
	for _, name := range from {
		fn := byName[name]
		if fn == nil {
			return Walk{}, fmt.Errorf("there is no function %s to begin at", name)
		}
		r.read(fn)
	}
	r.Files = len(r.files)
	r.Returns = r.Stays - r.Files
	return r.Walk, nil
}

type body struct {
	*ast.BlockStmt
	of   *packages.Package
	file string
}

type reader struct {
	Walk
	bodies map[*types.Func]body
	seen   map[*types.Func]bool
	files  map[string]bool
	at     string // the file of the function that is read
}

func (r *reader) read(fn *types.Func) {
	b, ours := r.bodies[fn]
	if !ours || r.seen[fn] {
		return
	}
	r.seen[fn] = true
	r.Functions++
	if r.at != b.file {
		r.at = b.file
		r.Stays++
		r.files[b.file] = true
	}
	ast.Inspect(b.BlockStmt, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if called, ok := b.of.TypesInfo.Uses[id].(*types.Func); ok {
				r.read(called.Origin())
			}
		}
		return true
	})
}
