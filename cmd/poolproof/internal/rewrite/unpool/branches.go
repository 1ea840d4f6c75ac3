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
	i := max(0, slices.IndexFunc(u.path, func(n ast.Node) bool { _, ok := n.(*ast.FuncDecl); return ok }))
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
		yes, no := &hit, &miss
		if !found {
			yes, no = no, yes
		}
		*yes = append(*yes, s.Body)
		if other, ok := s.Else.(*ast.BlockStmt); ok {
			*no = append(*no, other)
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
func received(u use) (all []types.Object) {
	_, a := assignment(u)
	if a == nil || len(a.Rhs) != 1 {
		return nil
	}
	for _, l := range a.Lhs {
		if id, ok := l.(*ast.Ident); ok && id.Name != "_" {
			all = append(all, u.pkg.TypesInfo.ObjectOf(id))
		}
	}
	return all
}

// assignment is that of what a Get returns, or of what that is asserted to, and its index in the
// path; nil if there is none.
func assignment(u use) (int, *ast.AssignStmt) {
	for i, n := range slices.Backward(u.path) {
		switch n := n.(type) {
		case *ast.TypeAssertExpr, *ast.ParenExpr:
			continue
		case *ast.AssignStmt:
			return i, n
		}
		return -1, nil
	}
	return -1, nil
}
