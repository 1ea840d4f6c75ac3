package unpool

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// branches returns the blocks that run when a Get has found an object, and those that
// run when it has found none, as far as the code asks: v == nil, v != nil, ok and !ok.
func branches(u use) (hit, miss []*ast.BlockStmt) {
	names := received(u)
	if len(names) == 0 {
		return nil, nil
	}
	i := slices.IndexFunc(u.path, func(n ast.Node) bool { _, ok := n.(*ast.FuncDecl); return ok })
	if i < 0 {
		i = 0
	}
	info := u.pkg.TypesInfo
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && slices.Contains(names, info.ObjectOf(id))
	}
	ast.Inspect(u.path[i], func(n ast.Node) bool {
		s, ok := n.(*ast.IfStmt)
		if !ok {
			return true
		}
		found, asks := question(s.Cond, is, info)
		if !asks {
			return true
		}
		other, _ := s.Else.(*ast.BlockStmt)
		if !found {
			miss = append(miss, s.Body)
			if other != nil {
				hit = append(hit, other)
			}
			return true
		}
		hit = append(hit, s.Body)
		if other != nil {
			miss = append(miss, other)
		}
		return true
	})
	return hit, miss
}

// question says whether a condition holds when an object was found.
func question(cond ast.Expr, is func(ast.Expr) bool, info *types.Info) (found, asks bool) {
	switch c := ast.Unparen(cond).(type) {
	case *ast.Ident:
		if t, ok := info.TypeOf(c).(*types.Basic); ok && t.Info()&types.IsBoolean != 0 {
			return true, is(c)
		}
	case *ast.UnaryExpr:
		if c.Op == token.NOT {
			found, asks = question(c.X, is, info)
			return !found, asks
		}
	case *ast.BinaryExpr:
		isNil := info.Types[c.Y].IsNil()
		switch c.Op {
		case token.EQL:
			return false, isNil && is(c.X)
		case token.NEQ:
			return true, isNil && is(c.X)
		}
	}
	return false, false
}

// received are the variables that hold what a Get returns, and whether it was of the
// asserted type.
func received(u use) []types.Object {
	for _, n := range slices.Backward(u.path) {
		switch n := n.(type) {
		case *ast.TypeAssertExpr, *ast.ParenExpr:
			continue
		case *ast.AssignStmt:
			if len(n.Rhs) != 1 {
				return nil
			}
			var all []types.Object
			for _, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok && id.Name != "_" {
					all = append(all, u.pkg.TypesInfo.ObjectOf(id))
				}
			}
			return all
		}
		return nil
	}
	return nil
}
