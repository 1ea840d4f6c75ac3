package unpool

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// read goes through the files of a program.
func read(p *program) *notes {
	n := &notes{facts: map[key]*fact{}, parent: map[key]key{}, unplaced: map[*kind]bool{}}
	for _, pkg := range p.pkgs {
		for _, file := range pkg.Syntax {
			ast.PreorderStack(file, nil, func(at ast.Node, path []ast.Node) bool {
				reader{p, n, pkg, file, path}.node(at)
				return true
			})
		}
	}
	return n
}

// reader looks at one node of a file.
type reader struct {
	p     *program
	notes *notes
	pkg   *packages.Package
	file  *ast.File
	path  []ast.Node // from the file to the node's parent
}

func (r reader) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.Ident:
		r.ident(n)
	case *ast.SelectorExpr:
		r.selector(n)
	case *ast.CompositeLit:
		if t := r.info().TypeOf(n); t != nil && isPool(t) {
			r.literal(n)
		}
	case *ast.AssignStmt:
		r.assignNew(n)
	case *ast.CallExpr:
		r.made(n)
		r.flows(n)
	case *ast.TypeAssertExpr:
		r.flows(n)
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			r.flows(n)
		}
	}
}

// selector notes X.Get and X.Put of a pool.
func (r reader) selector(sel *ast.SelectorExpr) {
	fn, ok := r.info().Uses[sel.Sel].(*types.Func)
	if !ok {
		return
	}
	k, put, own := useOf(fn)
	s := r.info().Selections[sel]
	if k == nil || !own && s == nil {
		r.other(fn, sel)
		return
	}
	if !own && s.Kind() != types.MethodVal { // (*sync.Pool).Get, whose pool is an argument
		r.expression(sel)
		return
	}
	u := use{kind: k, own: own, pkg: r.pkg, file: r.file, path: slices.Clone(r.path), sel: sel, put: put}
	if call, ok := syntax.Parent(r.path).(*ast.CallExpr); ok && ast.Unparen(call.Fun) == sel {
		u.call, u.path = call, slices.Clone(r.path[:slices.Index(r.path, ast.Node(call))])
	}
	if own {
		u.root = key(k.path)
		r.notes.of(u.root)
		r.notes.uses = append(r.notes.uses, u)
		return
	}
	u.root = r.of(sel, s)
	if u.root == "" {
		u.root = key(fmt.Sprintf("%v", r.p.at(sel)))
		r.notes.of(u.root).trouble = fmt.Sprintf("it is not known which pool %s is", types.ExprString(sel.X))
	}
	r.notes.of(u.root)
	r.notes.uses = append(r.notes.uses, u)
}

// expression notes that a method expression is called with a pool, or goes somewhere.
func (r reader) expression(sel *ast.SelectorExpr) {
	call, ok := syntax.Parent(r.path).(*ast.CallExpr)
	if !ok || ast.Unparen(call.Fun) != sel || len(call.Args) == 0 {
		return
	}
	if k := r.root(call.Args[0]); k != "" {
		r.hands(k, call, "it is an argument of a method expression")
	}
}

// ident notes where a variable with pools is declared, and follows each mention to
// where the pool goes.
func (r reader) ident(id *ast.Ident) {
	if v, ok := r.info().Defs[id].(*types.Var); ok && holdsPools(v.Type()) {
		k := r.key(v)
		r.notes.of(k).decl = mention{r.pkg, id, v, slices.Clone(r.path)}
		if syntax.Parameter(r.path) {
			r.calledWith(k, id, v)
		} else {
			r.begins(k, id)
		}
		return
	}
	v, ok := r.info().Uses[id].(*types.Var)
	if !ok || !holdsPools(v.Type()) {
		return
	}
	k := r.key(v)
	if v.Pkg() != nil && !r.p.has(v.Pkg().Path()) {
		r.notes.of(k).loose = true
	}
	r.notes.of(k).mentions++
	r.goes(k, id)
}

// begins follows the value that a variable is declared with.
func (r reader) begins(k key, id *ast.Ident) {
	v := r.info().Defs[id].(*types.Var)
	if spec, ok := r.path[len(r.path)-1].(*ast.ValueSpec); holdsValues(v.Type()) && (v.IsField() || ok && len(spec.Values) == 0) {
		r.notes.of(k).bare = true
	}
	switch p := r.path[len(r.path)-1].(type) {
	case *ast.ValueSpec:
		if i := slices.Index(p.Names, id); len(p.Values) == len(p.Names) {
			r.value(k, p.Values[i])
		} else if len(p.Values) > 0 {
			r.value(k, p.Values[0])
		}
	case *ast.AssignStmt:
		for i, l := range p.Lhs {
			if l == id && len(p.Lhs) == len(p.Rhs) {
				r.value(k, p.Rhs[i])
			} else if l == id {
				r.value(k, p.Rhs[0])
			}
		}
	case *ast.RangeStmt:
		if p.Value == id {
			r.notes.join(k, r.root(p.X))
		}
	}
}
