package fields

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// drops notes what a function drops of its parameters, and of what it got from calls.
func (f *summary) drops() {
	all := map[*types.Var]*Drop{}
	of := func(v *types.Var, at ast.Node) *Drop {
		if all[v] == nil {
			all[v] = &Drop{At: f.body.at(at)}
		}
		return all[v]
	}
	ast.Inspect(f.body.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.ASSIGN || len(n.Lhs) != len(n.Rhs) {
				return true
			}
			for i, left := range n.Lhs {
				v, whole := f.body.rootVar(left)
				if v == nil || whole {
					continue
				}
				lost, again := f.replaced(left, n.Rhs[i])
				if len(again) > 0 {
					d := of(v, n)
					d.Except = append(d.Except, again...)
				}
				if len(lost) > 0 && f.always(n, v) && (empties(f.body.info, n.Rhs[i]) || f.gotten(v)) {
					d := of(v, n)
					d.Fields = append(d.Fields, lost...)
				}
			}
		case *ast.CallExpr:
			fn := f.body.callee(n)
			if fn == nil || dynamic(fn) || f.body.stdFunc(fn) {
				return true
			}
			for i, a := range f.body.arguments(n) {
				if v := f.body.variable(a); v != nil && isRef(v.Type()) && f.always(n, v) {
					d := of(v, n)
					d.By = append(d.By, Arg{Func: fn.FullName(), N: i})
				}
			}
		}
		return true
	})
	for v, d := range all {
		if len(d.Fields)+len(d.By) == 0 {
			continue
		}
		slices.Sort(d.Fields)
		d.Fields = slices.Compact(d.Fields)
		if n, ok := f.body.params[v]; ok {
			put(&f.body.out.Drops, n, *d)
		} else if of, ok := f.ofCalls(v); ok {
			d.Of = of
			f.facts.Drops = append(f.facts.Drops, *d)
		}
	}
	slices.SortFunc(f.facts.Drops, func(a, b Drop) int { return strings.Compare(a.At, b.At) })
}

// replaced returns the fields that an assignment sets to nothing or to what it makes, and those
// that it sets to anything else.
func (f *summary) replaced(left, right ast.Expr) (lost, again []string) {
	left, right = ast.Unparen(left), ast.Unparen(right)
	t, around := f.body.typeOf(left), f.body.places(left)
	st, isStruct := under(t).(*types.Struct)
	switch lit, isLit := right.(*ast.CompositeLit); {
	case !isStruct && (f.body.info.Types[right].IsNil() || f.body.makesRef(right) || onlyItself(f.trace.source(def{right, -1}))):
		return texts(around), nil
	case !isStruct:
		return nil, texts(around)
	case !isLit:
		return nil, references(t, around, 0)
	default:
		set := map[string]bool{}
		for i, e := range lit.Elts {
			name, e := element(st, i, e)
			set[name] = !f.body.info.Types[e].IsNil()
		}
		if named, ok := types.Unalias(t).(*types.Named); ok {
			around = append(around, place{named: named.Origin()})
		}
		for field := range st.Fields() {
			names := references(field.Type(), in(around, field.Name()), 1)
			if set[field.Name()] {
				again = append(again, names...)
			} else {
				lost = append(lost, names...)
			}
		}
		return lost, again
	}
}

// empties reports whether a value is nil, or a literal of a struct.
func empties(info *types.Info, e ast.Expr) bool {
	_, lit := ast.Unparen(e).(*ast.CompositeLit)
	return info.Types[e].IsNil() || lit && is[*types.Struct](info.Types[e].Type)
}

// always reports whether a statement runs whenever the block does that declares a variable.
func (f *summary) always(n ast.Node, v *types.Var) bool {
	for n = f.body.parents[n]; n != nil; n = f.body.parents[n] {
		if n.Pos() <= v.Pos() && v.Pos() < n.End() {
			_, block := n.(*ast.BlockStmt)
			_, decl := n.(*ast.FuncDecl)
			_, cond := n.(*ast.IfStmt)
			return block || decl || cond
		}
		switch n.(type) {
		case *ast.BlockStmt, *ast.ExprStmt, *ast.AssignStmt, *ast.LabeledStmt:
		default:
			return false
		}
	}
	return false
}

// ofCalls returns the functions that a local variable has the results of; not ok if it has anything else.
func (f *summary) ofCalls(v *types.Var) (names []string, ok bool) {
	for _, d := range f.body.defs[v] {
		e := ast.Unparen(d.value)
		if assert, ok := e.(*ast.TypeAssertExpr); ok {
			e = ast.Unparen(assert.X)
		}
		call, ok := e.(*ast.CallExpr)
		if !ok || f.body.builtin(call) != "" || f.body.info.Types[call.Fun].IsType() {
			return nil, false
		}
		name := ""
		if fn := f.body.callee(call); fn != nil {
			name = fn.FullName()
		}
		names = append(names, name)
	}
	return names, len(names) > 0
}

// gotten reports whether a local variable has only what Get of a pool returns.
func (f *summary) gotten(v *types.Var) bool {
	names, ok := f.ofCalls(v)
	return ok && !slices.ContainsFunc(names, func(name string) bool { return name != "(*sync.Pool).Get" })
}
