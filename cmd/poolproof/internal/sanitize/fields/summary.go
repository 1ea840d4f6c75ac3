package fields

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// summary describes a function for its callers: its parameters and its results.
type summary struct {
	body  *body
	trace *tracer
	facts *Facts
}

// write notes it.
func (f *summary) write() {
	results := f.body.fn.Signature().Results()
	if slices.ContainsFunc(slices.Collect(results.Variables()), func(v *types.Var) bool { return mayReturn(v.Type()) }) {
		f.body.out.Results = make([]Source, results.Len())
		for i := range f.body.out.Results {
			f.body.out.Results[i] = Source{Kind: Any}
		}
		f.returns(f.body.decl.Body, results)
	}
	for v, i := range f.body.params {
		if has(v.Type()) {
			f.keeps(v, i)
		}
		if p, ok := under(v.Type()).(*types.Pointer); ok && (isSlice(p.Elem()) || isTypeParam(p.Elem())) {
			f.pointers(v, i)
		}
	}
}

// mayReturn reports whether a result of a type may be memory that is followed.
func mayReturn(t types.Type) bool { return has(t) || types.IsInterface(t) }

// returns collects what the function's own return statements return.
func (f *summary) returns(body ast.Node, results *types.Tuple) {
	add := func(i int, s Source) {
		r := &f.body.out.Results[i]
		r.Args = append(r.Args, s.reset(f.body.stable))
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			for i := range results.Len() {
				if !mayReturn(results.At(i).Type()) {
					continue
				}
				switch {
				case len(n.Results) == results.Len():
					add(i, f.trace.source(def{n.Results[i], -1}))
				case len(n.Results) == 1:
					add(i, f.trace.source(def{n.Results[0], i}))
				case len(n.Results) == 0 && i < len(f.body.results):
					add(i, f.trace.local(f.body.results[i]))
				}
			}
		}
		return true
	})
}

// keeps notes whether the array of a parameter may be kept.
func (f *summary) keeps(v *types.Var, i int) {
	u := f.trace.use(v) // whether it is returned the caller sees itself
	if u.kept || len(u.targets) > 0 {
		put(&f.body.out.Keeps, i, true)
	} else if len(u.to) > 0 {
		put(&f.body.out.Passes, i, u.to)
	}
}

// pointers notes where a pointer to a slice goes to: if anywhere but to another
// function, anything may be stored through it.
func (f *summary) pointers(v *types.Var, i int) {
	through := func(s Source) { put(&f.body.out.Through, i, append(f.body.out.Through[i], s)) }
	if f.body.out.Through[i] == nil {
		through(Source{Kind: Deref, N: i}) // a function that stores nothing is known, too
	}
	for _, id := range f.body.reads[v] {
		switch p := f.body.parents[id].(type) {
		case *ast.StarExpr:
			if and, ok := f.body.parents[p].(*ast.UnaryExpr); ok && and.Op == token.AND {
				through(foreign("its address is taken"))
			}
		case *ast.BinaryExpr:
		case *ast.SelectorExpr:
			if call, ok := f.body.parents[p].(*ast.CallExpr); ok {
				if fn := f.body.callee(call); fn != nil {
					through(f.trace.throughLocal(call, fn, 0))
					continue
				}
			}
			through(foreign("its address is kept"))
		case *ast.CallExpr:
			fn := f.body.callee(p)
			if fn == nil {
				through(foreign("its address is given on"))
			} else if k := slices.Index(f.body.arguments(p), ast.Expr(id)); k >= 0 {
				through(f.trace.throughLocal(p, fn, k))
			}
		default:
			through(foreign("its address is kept"))
		}
	}
}
