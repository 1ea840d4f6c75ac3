package reuse

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// origin is where a slice comes from: an expression, or that result of a call.
type origin struct {
	e  ast.Expr
	at int
}

// origins are those of the variables and fields of the package that have slices of one type.
type origins struct {
	in       *source
	t        types.Type
	from     map[*types.Var][]origin
	captured map[*types.Var]bool // appended to in a function value, which may be called later
	known    map[*types.Var]bool // what second reports
}

// appendedElsewhere says where in the package a slice of a type is appended to that another header
// may have, too, or asked for its room; "" if nowhere.
func (g growth) appendedElsewhere(k *keeper, t types.Type) (why string) {
	o := origins{g.in, t, map[*types.Var][]origin{}, map[*types.Var]bool{}, map[*types.Var]bool{}}
	grown := map[*types.Var]token.Pos{}
	say := func(at token.Pos, text string) {
		why = cmp.Or(why, fmt.Sprintf("the caller gets it, and %s in %s", text, line(g.in.pkg.Fset, at)))
	}
	results := map[ast.Expr]ast.Expr{} // of an append, where its result goes
	var others []ast.Expr              // what is appended to that no variable has there
	walk(g.in.pkg, func(path []ast.Node) {
		switch n := path[len(path)-1].(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if len(n.Lhs) == len(n.Rhs) {
					results[ast.Unparen(n.Rhs[i])] = l
					o.add(l, n.Rhs[i], 0)
				} else {
					o.add(l, n.Rhs[0], i)
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				switch len(n.Values) {
				case len(n.Names):
					o.add(id, n.Values[i], 0)
				case 1:
					o.add(id, n.Values[0], i)
				}
			}
		case *ast.CompositeLit:
			st, ok := syntax.Pointed(core(g.in.info, n)).Underlying().(*types.Struct)
			for i, e := range n.Elts {
				if pair, keyed := e.(*ast.KeyValueExpr); keyed {
					o.add(pair.Key, pair.Value, 0)
				} else if ok && o.same(e) {
					field := st.Field(i).Origin()
					o.from[field] = append(o.from[field], origin{e, 0})
				}
			}
		case *ast.RangeStmt:
			if v := variableOf(g.in.info, n.Value); v != nil { // an element of something
				o.from[v] = append(o.from[v], origin{n.Value, 0})
			}
		case *ast.CallExpr:
			b := builtinOf(g.in.info, n)
			if len(n.Args) == 0 || b != "append" && b != "cap" || !o.same(n.Args[0]) {
				return
			}
			root, _ := rootOf(n.Args[0])
			var v *types.Var // nil: another one gets the result
			if to := results[n]; to != nil {
				v = back(g.in.info, to, n.Args[0])
			}
			switch {
			case root == nil || g.in.info.Types[n.Args[0]].IsNil():
				others = append(others, n.Args[0])
			case b == "cap":
				say(n.Pos(), "the room of one of its type is asked for")
			case v == nil || v.Kind() == types.ParamVar || v.Kind() == types.RecvVar:
				say(n.Pos(), "one of its type is appended to that something else may have, too,")
			case v.IsField() && ofValue(g.in.info, n.Args[0]):
				say(n.Pos(), "one of its type is appended to in a value that may be a copy,")
			default:
				if v.IsField() {
					if owner := ownerOf(g.in.info, whole(n.Args[0]).(*ast.SelectorExpr)); owner == nil || copied(k, owner) != "" {
						say(n.Pos(), "one of its type is appended to in a field that may be copied,")
					}
				}
				grown[v] = n.Pos()
				o.captured[v] = o.captured[v] || slices.ContainsFunc(path, func(n ast.Node) bool {
					_, literal := n.(*ast.FuncLit)
					return literal && v.Pos() < n.Pos()
				})
			}
		}
	})
	for _, e := range others {
		if !o.fresh(origin{e, 0}, true) {
			say(e.Pos(), "one of its type is used that something else may have, too,")
		}
	}
	for _, v := range slices.SortedFunc(maps.Keys(grown), func(x, y *types.Var) int { return int(grown[x] - grown[y]) }) {
		if o.second(v) {
			say(grown[v], "one of its type is appended to that something else may have, too,")
		}
	}
	return why
}

// same reports whether an expression may have slices of the type: generic code has those of any.
func (o origins) same(e ast.Expr) bool {
	is := o.in.info.TypeOf(e)
	switch {
	case is == nil:
		return false
	case nameable(is) && nameable(o.t):
		return types.Identical(is.Underlying(), o.t.Underlying())
	}
	return sliceOf(is) != nil || types.IsInterface(is)
}

// add notes what a variable gets. What it had before, and what is appended to that, is no other slice.
func (o origins) add(to, from ast.Expr, at int) {
	v := variableOf(o.in.info, to)
	if v == nil || !o.same(to) {
		return
	}
	first := from
	for {
		call, ok := ast.Unparen(first).(*ast.CallExpr)
		if !ok || builtinOf(o.in.info, call) != "append" {
			break
		}
		first = whole(call.Args[0])
	}
	if back(o.in.info, to, first) != v {
		o.from[v] = append(o.from[v], origin{from, at})
	}
}

// second reports whether a variable may have the header of another one.
func (o origins) second(v *types.Var) bool {
	if second, ok := o.known[v]; ok {
		return second
	}
	o.known[v] = true // where it is asked for further out
	o.known[v] = slices.ContainsFunc(o.from[v], func(from origin) bool { return !o.fresh(from, !o.captured[v]) })
	return o.known[v]
}

// fresh reports whether no variable has a slice, as far as the package shows: it is made there, or
// returned, where calls count, by a function that keeps none.
func (o origins) fresh(from origin, calls bool) bool {
	e := ast.Unparen(from.e)
	if o.in.info.Types[e].IsNil() {
		return true
	}
	call, ok := e.(*ast.CallExpr)
	if !ok {
		_, literal := e.(*ast.CompositeLit)
		return literal && o.same(e)
	}
	if o.in.info.Types[call.Fun].IsType() {
		return syntax.String(o.in.info.TypeOf(call.Args[0])) || o.fresh(origin{call.Args[0], 0}, calls)
	}
	switch builtinOf(o.in.info, call) {
	case "make":
		return true
	case "append":
		return o.fresh(origin{call.Args[0], 0}, calls)
	}
	fn := calledFunc(o.in.info, call)
	switch {
	case fn == nil || !calls:
		return false
	case fn.Pkg() == o.in.pkg.Types:
		return o.returned(fn.Origin(), from.at)
	}
	return slices.Contains(lends, fn.FullName()) || fn.Signature().Recv() == nil &&
		!slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return sharesMemory(o.in.info.TypeOf(e)) })
}

// returned reports whether a result of a function is always a slice that no variable goes on having.
func (o origins) returned(fn *types.Func, at int) bool {
	decl := syntax.Declaration(o.in.info, o.in.pkg.Syntax, fn)
	if decl == nil || decl.Body == nil || o.second(fn.Signature().Results().At(at)) {
		return false
	}
	fresh := true
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			switch len(n.Results) {
			case 0:
			case fn.Signature().Results().Len():
				v := variableOf(o.in.info, whole(n.Results[at]))
				own := v != nil && (v.Kind() == types.LocalVar || v.Kind() == types.ResultVar) && !o.second(v)
				fresh = fresh && (own || o.fresh(origin{n.Results[at], 0}, true))
			default:
				fresh = fresh && o.fresh(origin{n.Results[0], at}, true)
			}
		}
		return fresh
	})
	return fresh
}
