package fields

import (
	"go/ast"
	"go/token"
	"go/types"
)

// readRef lends a field that is a pointer or a map whose value is given to others: what
// it refers to may then live longer than the object's use of it. (An array's
// header is read all the time, and each such use ends as the array's own; a struct that
// is handed out is as often meant to stay with whoever has got it.)
func (f *function) readRef(sel *ast.SelectorExpr) {
	s := f.info.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal || !isRef(f.typeOf(sel)) || f.stored(sel) {
		return
	}
	to := f.keys(sel)
	if len(to) == 0 {
		return
	}
	u := use{targets: map[string]bool{}}
	f.climb(sel, &u, map[*types.Var]bool{})
	if u.kept || len(u.targets) > 0 {
		f.facts.Lends = append(f.facts.Lends, Lend{To: to, Why: "what it refers to is given to others", At: f.at(sel)})
		return
	}
	if len(u.to) > 0 {
		f.facts.Lends = append(f.facts.Lends, Lend{To: to, Given: u.to, Why: "what it refers to is given to a function that keeps it", At: f.at(sel)})
	}
}

// stored reports whether a selector is set, and not read.
func (f *function) stored(sel *ast.SelectorExpr) bool {
	a, ok := f.parents[sel].(*ast.AssignStmt)
	if !ok {
		return false
	}
	for _, left := range a.Lhs {
		if left == sel {
			return true
		}
	}
	return false
}

// made reports whether an expression makes what it refers to.
func (f *function) made(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.UnaryExpr:
		_, ok := ast.Unparen(e.X).(*ast.CompositeLit)
		return ok && e.Op == token.AND
	case *ast.CompositeLit:
		_, ok := under(f.typeOf(e)).(*types.Map)
		return ok
	}
	return false
}
