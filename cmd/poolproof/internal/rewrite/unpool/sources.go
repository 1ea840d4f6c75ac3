package unpool

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
)

// calledWith notes what is known of a parameter or a result: code that is not followed may call a
// function that is exported, or that is a value.
func (r reader) calledWith(k key, id *ast.Ident, v *types.Var) {
	for i, n := range slices.Backward(r.path) {
		switch fn := n.(type) {
		case *ast.FuncLit:
			call, ok := parentOf(r.path[:i]).(*ast.CallExpr)
			r.loose[k] = !ok || ast.Unparen(call.Fun) != fn
			return
		case *ast.FuncDecl:
			obj, ok := r.info().Defs[fn.Name].(*types.Func)
			if list := fn.Type.Results; ok && list != nil && list.Pos() <= id.Pos() && id.Pos() < list.End() {
				r.bare[k] = holdsValues(v.Type())
				r.makes[resultKey(obj)] = append(r.makes[resultKey(obj)], k)
			} else if fn.Name.IsExported() {
				r.loose[k] = true
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
	r.join(k, root)
	if a, ok := e.(*ast.UnaryExpr); ok && a.Op == token.AND {
		e = ast.Unparen(a.X)
	}
	if _, literal := e.(*ast.CompositeLit); root == "" && !literal && !r.info().Types[e].IsNil() {
		r.loose[k] = true
	}
}

// given notes that a variable holds what a call gives.
func (r reader) given(k key, call *ast.CallExpr) {
	fn := typeutil.StaticCallee(r.info(), call)
	switch {
	case r.makesValue(call):
		for _, arg := range call.Args { // append(pools, p); a type is none
			if tv := r.info().Types[arg]; tv.IsType() {
				r.begun[k], r.bare[k] = true, true
			} else if holdsPools(tv.Type) {
				r.value(k, arg)
			}
		}
	case fn == nil || fn.Pkg() == nil:
		r.loose[k] = true
	case slices.ContainsFunc(kinds, func(kind *kind) bool { return kind.path == fn.Pkg().Path() }):
		r.begun[k] = true // of options, which made looks at
	case r.has(fn.Pkg().Path()):
		if result := resultKey(fn); !slices.Contains(r.makes[k], result) {
			r.makes[k] = append(r.makes[k], result)
		}
	default:
		r.loose[k] = true
	}
}

// makesValue reports whether a call is a conversion, or one of a builtin function.
func (r reader) makesValue(call *ast.CallExpr) bool {
	tv := r.info().Types[ast.Unparen(call.Fun)]
	return tv.IsType() || tv.IsBuiltin()
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

// several reports whether t is more than one value, with a pool among them.
func several(t types.Type) bool {
	tuple, ok := t.(*types.Tuple)
	return ok && slices.ContainsFunc(slices.Collect(tuple.Variables()), func(v *types.Var) bool { return holdsPools(v.Type()) })
}
