package unpool

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// literal notes the New of a pool's literal with the variable that its place is for.
func (r reader) literal(lit *ast.CompositeLit) {
	owner := r.owner(lit, r.path)
	if owner == "" {
		r.notes.strays = append(r.notes.strays, stray{r.pkg, lit})
		return
	}
	f, bare := r.notes.of(owner), true
	f.begun = true
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "New" {
			r.maker(owner, kv.Value, target(r.path, lit))
			bare = false
		}
	}
	f.bare = f.bare || bare
}

// assignNew notes p.New = f.
func (r reader) assignNew(a *ast.AssignStmt) {
	for i, l := range a.Lhs {
		sel, ok := ast.Unparen(l).(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "New" {
			continue
		}
		s := r.info().Selections[sel]
		if s == nil || s.Obj().Pkg() == nil || s.Obj().Pkg().Path() != kinds[0].path {
			continue
		}
		value := a.Rhs[0] // p.New, err = f()
		if len(a.Lhs) == len(a.Rhs) {
			value = a.Rhs[i]
		}
		if k := r.of(sel, s); k != "" {
			r.maker(k, value, sel.X)
		}
	}
}

// maker notes a function that makes the objects of a variable's pools, which it is assigned to.
func (r reader) maker(k key, value, to ast.Expr) {
	f := r.notes.of(k)
	f.makers = append(f.makers, maker{r.pkg, value, r.holderOf(to), syntax.Body(r.info(), r.pkg.Syntax, value)})
}

// target returns the expression that the literal of a pool is assigned to, as e.pool; nil: it is not assigned.
func target(path []ast.Node, lit *ast.CompositeLit) ast.Expr {
	if a, ok := path[len(path)-1].(*ast.AssignStmt); ok && len(a.Lhs) == len(a.Rhs) {
		return a.Lhs[slices.Index(a.Rhs, ast.Expr(lit))]
	}
	return nil
}

// holderOf is the variable that a pool's New is assigned through, as e in e.pool.New = f or
// e.pool = sync.Pool{New: f}: e at a Get of e.pool stands for the same object. It is a pointer
// that is never assigned again; nil for others.
func (r reader) holderOf(target ast.Expr) *types.Var {
	sel, ok := ast.Unparen(target).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := r.info().Uses[id].(*types.Var)
	if !ok || v.IsField() || v.Parent() == r.pkg.Types.Scope() {
		return nil
	}
	if _, pointer := v.Type().Underlying().(*types.Pointer); !pointer || syntax.Sets(r.info(), r.file, v) {
		return nil
	}
	return v
}

// other notes a method whose gets cannot be taken out.
func (r reader) other(fn *types.Func, sel *ast.SelectorExpr) {
	k, s := kindOfMethod(fn), r.info().Selections[sel]
	if k == nil || s == nil || !slices.Contains(k.others, fn.Name()) || r.pkg.PkgPath == k.path {
		return
	}
	if root := r.of(sel, s); root != "" {
		r.hands(root, sel, fn.Name()+" "+k.why)
		r.notes.others = append(r.notes.others, use{kind: k, pkg: r.pkg, file: r.file, sel: sel, root: root})
	}
}

// made notes a call that makes a pool whose options may have a New: only the pool can call that.
func (r reader) made(call *ast.CallExpr) {
	fn := typeutil.StaticCallee(r.info(), call)
	if fn == nil || fn.Pkg() == nil || len(call.Args) != 1 {
		return
	}
	for _, k := range kinds {
		if k.makes == "" || fn.Name() != k.makes || fn.Pkg().Path() != k.path {
			continue
		}
		lit, known := ast.Unparen(call.Args[0]).(*ast.CompositeLit)
		if known && !slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool {
			kv, ok := e.(*ast.KeyValueExpr)
			return !ok || types.ExprString(kv.Key) == "New"
		}) {
			continue
		}
		if owner := r.owner(call, r.path); owner != "" {
			r.hands(owner, call, "New of its options makes its objects")
		} else {
			r.notes.unplaced[k] = true
		}
	}
}
