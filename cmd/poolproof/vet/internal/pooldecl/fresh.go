package pooldecl

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Contains reports whether a value of type t has a pool in it.
func Contains(t types.Type) bool { return contains(t, map[types.Type]bool{}) }

func contains(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if IsPoolValue(t) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return contains(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if contains(f.Type(), seen) {
				return true
			}
		}
	case *types.Tuple:
		for v := range u.Variables() {
			if contains(v.Type(), seen) {
				return true
			}
		}
	}
	return false
}

// Fresh are the variables below n that begin as a new object: a literal, the
// address of one, new(T), what a maker makes, or a zero value.
func Fresh(info *types.Info, makers Makers, n ast.Node) map[*types.Var]bool {
	fresh := map[*types.Var]bool{}
	note := func(name *ast.Ident, value ast.Expr) {
		_, made := makers.made(info, value)
		if v, ok := info.Defs[name].(*types.Var); ok && (made || isNew(value)) {
			fresh[v] = true
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) {
					note(id, n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				switch len(n.Values) {
				case 0:
					note(name, nil)
				case len(n.Names):
					note(name, n.Values[i])
				}
			}
		}
		return true
	})
	return fresh
}

// isNew reports whether a value is made on the spot. Without a value, a
// variable is its own.
func isNew(value ast.Expr) bool {
	if value == nil {
		return true
	}
	switch e := ast.Unparen(value).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.UnaryExpr:
		return e.Op == token.AND && isNew(e.X)
	case *ast.CallExpr:
		id, ok := e.Fun.(*ast.Ident)
		return ok && id.Name == "new"
	}
	return false
}
