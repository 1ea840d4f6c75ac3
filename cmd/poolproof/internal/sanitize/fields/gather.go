package fields

import (
	"go/ast"
	"go/token"
	"go/types"
)

func newBody(t *typed, node ast.Node, decl *ast.FuncDecl) *body {
	b := &body{
		typed: t, node: node, decl: decl,
		parents: map[ast.Node]ast.Node{}, params: map[*types.Var]int{}, defs: map[*types.Var][]def{},
		assigned: map[*types.Var]int{}, zero: map[*types.Var]bool{}, literals: map[*types.Var]bool{},
		ranged: map[*types.Var]ast.Expr{}, reads: map[*types.Var][]*ast.Ident{},
		checks: map[string]bool{}, rooms: map[string]bool{},
	}
	if decl != nil {
		if b.fn, _ = b.info.Defs[decl.Name].(*types.Func); b.fn != nil {
			b.signature()
		}
	}
	b.gather()
	return b
}

// signature numbers the parameters.
func (f *body) signature() {
	n := 0
	number := func(v *types.Var) {
		if v.Name() != "" {
			f.params[v] = n
		}
		n++
	}
	sig := f.fn.Signature()
	if sig.Recv() != nil {
		number(sig.Recv())
	}
	for v := range sig.Params().Variables() {
		number(v)
	}
	for v := range sig.Results().Variables() {
		f.results = append(f.results, v)
		f.zero[v] = true
	}
}

// gather collects what variables are set to and where they are read, and the parents of nodes.
func (f *body) gather() {
	ast.PreorderStack(f.node, nil, func(n ast.Node, stack []ast.Node) bool {
		if len(stack) > 0 {
			f.parents[n] = stack[len(stack)-1]
		}
		switch n := n.(type) {
		case *ast.Ident:
			if v, ok := f.info.Uses[n].(*types.Var); ok {
				f.reads[v] = append(f.reads[v], n)
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				f.define(left, valueAt(n.Rhs, len(n.Lhs), i))
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if len(n.Values) == 0 {
					if v, ok := f.info.Defs[id].(*types.Var); ok {
						f.zero[v] = true
					}
					continue
				}
				f.define(id, valueAt(n.Values, len(n.Names), i))
			}
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if v := f.variable(e); v != nil {
					f.set(v)
					f.ranged[v] = n.X
				}
			}
		case *ast.FuncLit:
			if sig, ok := under(f.typeOf(n)).(*types.Signature); ok {
				for v := range sig.Params().Variables() {
					f.set(v)
				}
				for v := range sig.Results().Variables() {
					f.zero[v] = true
				}
			}
		case *ast.IfStmt:
			f.condition(n.Cond)
		case *ast.ForStmt:
			if n.Cond != nil {
				f.condition(n.Cond)
			}
		case *ast.CaseClause:
			for _, e := range n.List {
				f.condition(e)
			}
		}
		return true
	})
}

func (f *body) define(left ast.Expr, d def) {
	if v := f.variable(left); v != nil {
		f.defs[v] = append(f.defs[v], d)
		f.assigned[v]++
	}
}

// set notes a variable that may hold anything.
func (f *body) set(v *types.Var) {
	f.literals[v] = true
	f.assigned[v]++
}

// condition notes the fields whose capacity is asked for, or that are compared
// with nil.
func (f *body) condition(e ast.Expr) {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND, token.LOR:
			f.condition(e.X)
			f.condition(e.Y)
		default:
			f.comparison(e)
		}
	case *ast.UnaryExpr:
		f.condition(e.X)
	}
}

// comparison notes what one asks of. cap(x.f) < n asks whether the array does for n elements from its
// start on, len(x.f)+n > cap(x.f) whether n more have room behind those that are there.
func (f *body) comparison(e *ast.BinaryExpr) {
	if id, ok := ast.Unparen(e.Y).(*ast.Ident); ok && id.Name == "nil" && e.Op == token.EQL {
		f.check(f.checks, e.X)
		return
	}
	ast.Inspect(e, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return true
		}
		id, ok := call.Fun.(*ast.Ident)
		if !ok || id.Name != "cap" && id.Name != "len" {
			return true
		}
		length, field := f.fills(e, call.Args[0])
		switch {
		case id.Name == "cap" && (length || field), id.Name == "len" && field:
			f.check(f.rooms, call.Args[0])
		case id.Name == "cap", (e.Op == token.LSS || e.Op == token.GTR) && !isLiteral(e.X) && !isLiteral(e.Y):
			f.check(f.checks, call.Args[0])
		}
		return true
	})
}

func (f *body) check(in map[string]bool, e ast.Expr) {
	if name := f.path(e); name != "" {
		in[name] = true
	}
}

// fills reports whether an expression depends on the length of a slice, or on another field of the
// struct that has the slice: on how much of its array is in use.
func (f *body) fills(e, slice ast.Expr) (length, field bool) {
	of := f.path(slice)
	around := f.base(slice)
	if of == "" || around == "" {
		return false, false
	}
	var look func(e ast.Node, depth int)
	look = func(e ast.Node, depth int) {
		ast.Inspect(e, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if id, ok := n.Fun.(*ast.Ident); ok && (id.Name == "len" || id.Name == "cap") && len(n.Args) == 1 && f.path(n.Args[0]) == of {
					length = length || id.Name == "len"
					return false
				}
			case *ast.SelectorExpr:
				if s := f.info.Selections[n]; s != nil && s.Kind() == types.FieldVal {
					b, ok := under(f.typeOf(n)).(*types.Basic)
					field = field || f.base(n) == around && f.path(n) != of && ok && b.Info()&types.IsInteger != 0
				}
				return false
			case *ast.Ident:
				if v, ok := f.objectOf(n).(*types.Var); ok && depth < 3 {
					for _, d := range f.defs[v] {
						if d.i < 0 && d.value != e {
							look(d.value, depth+1)
						}
					}
				}
			}
			return true
		})
	}
	look(e, 0)
	return length, field
}

// valueAt returns the definition of the i-th of n variables.
func valueAt(values []ast.Expr, n, i int) def {
	if len(values) == n {
		return def{values[i], -1}
	}
	return def{values[0], i}
}
