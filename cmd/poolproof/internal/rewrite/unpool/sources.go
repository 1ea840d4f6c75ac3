package unpool

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// calledWith notes what is known of a parameter or a result: code that is not followed may call a
// function that is exported, or that is a value.
func (r reader) calledWith(k key, id *ast.Ident, v *types.Var) {
	for i, n := range slices.Backward(r.path) {
		switch fn := n.(type) {
		case *ast.FuncLit:
			call, ok := syntax.Parent(r.path[:i]).(*ast.CallExpr)
			r.notes.of(k).loose = !ok || ast.Unparen(call.Fun) != fn
			return
		case *ast.FuncDecl:
			obj, ok := r.info().Defs[fn.Name].(*types.Func)
			if list := fn.Type.Results; ok && list != nil && list.Pos() <= id.Pos() && id.Pos() < list.End() {
				r.notes.of(k).bare = holdsValues(v.Type())
				r.notes.makes(resultKey(obj), k)
			} else if fn.Name.IsExported() {
				r.notes.of(k).loose = true
			}
			return
		}
	}
}

// value notes that a variable holds what an expression gives.
func (r reader) value(k key, e ast.Expr) {
	e = ast.Unparen(e)
	if call, ok := e.(*ast.CallExpr); ok {
		r.given(k, call)
		return
	}
	root := r.root(e)
	r.notes.join(k, root)
	if a, ok := e.(*ast.UnaryExpr); ok && a.Op == token.AND {
		e = ast.Unparen(a.X)
	}
	if _, literal := e.(*ast.CompositeLit); root == "" && !literal && !r.info().Types[e].IsNil() {
		r.notes.of(k).loose = true
	}
}

// given notes that a variable holds what a call gives.
func (r reader) given(k key, call *ast.CallExpr) {
	f, fn := r.notes.of(k), typeutil.StaticCallee(r.info(), call)
	switch {
	case r.makesValue(call):
		for _, arg := range call.Args { // append(pools, p); a type is none
			if tv := r.info().Types[arg]; tv.IsType() {
				f.begun, f.bare = true, true
			} else if holdsPools(tv.Type) {
				r.value(k, arg)
			}
		}
	case fn == nil || fn.Pkg() == nil:
		f.loose = true
	case slices.ContainsFunc(kinds, func(kind *kind) bool { return kind.path == fn.Pkg().Path() }):
		f.begun = true // of options, which made looks at
	case r.p.has(fn.Pkg().Path()):
		r.notes.makes(k, resultKey(fn))
	default:
		f.loose = true
	}
}

// flows notes where a pool goes that no variable held before: what a call gives, for example.
func (r reader) flows(e ast.Expr) {
	t := r.info().TypeOf(e)
	if t == nil || !holdsPools(t) && !several(t) {
		return
	}
	if k := r.owner(e, r.path); k != "" {
		r.value(k, e)
	}
}
