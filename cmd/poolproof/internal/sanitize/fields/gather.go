package fields

import (
	"go/ast"
	"go/token"
	"go/types"
)

// signature numbers the parameters.
func (f *body) signature() {
	if f.decl == nil {
		return
	}
	n := 0
	for _, list := range []*ast.FieldList{f.decl.Recv, f.decl.Type.Params} {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			if len(field.Names) == 0 {
				n++
			}
			for _, name := range field.Names {
				if v, ok := f.info.Defs[name].(*types.Var); ok {
					f.params[v] = n
				}
				n++
			}
		}
	}
	if f.decl.Type.Results != nil {
		for _, field := range f.decl.Type.Results.List {
			for _, name := range field.Names {
				if v, ok := f.info.Defs[name].(*types.Var); ok {
					f.results = append(f.results, v)
					f.zero[v] = true
				}
			}
		}
	}
}

// gather collects what variables are set to, and the parents of nodes.
func (f *body) gather() {
	var stack []ast.Node
	ast.Inspect(f.node, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if len(stack) > 0 {
			f.parents[n] = stack[len(stack)-1]
		}
		stack = append(stack, n)
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if id, ok := ast.Unparen(left).(*ast.Ident); ok {
					f.define(id, valueAt(n.Rhs, len(n.Lhs), i))
				}
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
				if id, ok := e.(*ast.Ident); ok {
					f.set(id)
				}
			}
		case *ast.FuncLit:
			for _, field := range n.Type.Params.List {
				for _, id := range field.Names {
					f.set(id)
				}
			}
			if n.Type.Results != nil {
				for _, field := range n.Type.Results.List {
					for _, id := range field.Names {
						if v, ok := f.info.Defs[id].(*types.Var); ok {
							f.zero[v] = true
						}
					}
				}
			}
		case *ast.IfStmt:
			f.condition(n.Cond)
		case *ast.ForStmt:
			f.condition(n.Cond)
		case *ast.CaseClause:
			for _, e := range n.List {
				f.condition(e)
			}
		}
		return true
	})
}

func (f *body) define(id *ast.Ident, d def) {
	if v, ok := f.objectOf(id).(*types.Var); ok {
		f.defs[v] = append(f.defs[v], d)
		f.assigned[v]++
	}
}

// set notes a variable that may hold anything.
func (f *body) set(id *ast.Ident) {
	if v, ok := f.objectOf(id).(*types.Var); ok {
		f.literals[v] = true
		f.assigned[v]++
	}
}

// condition notes the fields whose capacity is asked for, or that are compared
// with nil.
func (f *body) condition(e ast.Expr) {
	if e == nil {
		return
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "cap" && len(n.Args) == 1 {
				f.check(n.Args[0])
			}
		case *ast.BinaryExpr:
			if id, ok := n.Y.(*ast.Ident); ok && id.Name == "nil" && n.Op == token.EQL {
				f.check(n.X)
			}
			if (n.Op == token.LSS || n.Op == token.GTR) && !isLiteral(n.X) && !isLiteral(n.Y) {
				for _, side := range []ast.Expr{n.X, n.Y} {
					if c, ok := ast.Unparen(side).(*ast.CallExpr); ok && len(c.Args) == 1 {
						if id, ok := c.Fun.(*ast.Ident); ok && id.Name == "len" {
							f.check(c.Args[0])
						}
					}
				}
			}
		}
		return true
	})
}

func (f *body) check(e ast.Expr) {
	if name, _ := f.path(e); name != "" {
		f.checks[name] = true
	}
}

// valueAt is what the i-th of n variables is set to.
func valueAt(values []ast.Expr, n, i int) def {
	if len(values) == n {
		return def{values[i], -1}
	}
	return def{values[0], i}
}
