package fields

import (
	"go/ast"
	"go/token"
)

// throughLocal returns the fields that a function truncates in place by way of
// a variable of its own:
//
//	b := x.f[:0]
//	b = append(b, ...)
//	x.f = b
//
// All that the variable ever holds must be the field's array, or what append
// made of it; a variable whose address is taken may hold anything.
func throughLocal(f *ast.FuncDecl) []*ast.SelectorExpr {
	l := locals{from: map[string]*ast.SelectorExpr{}, bad: map[string]bool{}}
	ast.Inspect(f, l.visit)
	var found []*ast.SelectorExpr
	for _, back := range l.back {
		from := l.from[back.name]
		if from != nil && !l.bad[back.name] && same(from, back.to) {
			found = append(found, back.to)
		}
	}
	return found
}

// locals is what is known of variables, by name: two of one name are taken for
// one, which can only rule out more.
type locals struct {
	from map[string]*ast.SelectorExpr // variables that began as x.f[:0]
	bad  map[string]bool              // that may hold something else
	back []stored
}

// stored is a variable that is stored into a field.
type stored struct {
	name string
	to   *ast.SelectorExpr
}

func (l *locals) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.UnaryExpr:
		if id, ok := ast.Unparen(n.X).(*ast.Ident); ok && n.Op == token.AND {
			l.bad[id.Name] = true
		}
	case *ast.RangeStmt:
		for _, e := range []ast.Expr{n.Key, n.Value} {
			if id, ok := e.(*ast.Ident); ok {
				l.bad[id.Name] = true
			}
		}
	case *ast.ValueSpec:
		for _, id := range n.Names {
			l.bad[id.Name] = true
		}
	case *ast.Field: // a parameter
		for _, id := range n.Names {
			l.bad[id.Name] = true
		}
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			var right ast.Expr
			if len(n.Lhs) == len(n.Rhs) {
				right = n.Rhs[i]
			}
			l.assign(ast.Unparen(left), right)
		}
	}
	return true
}

func (l *locals) assign(left, right ast.Expr) {
	switch left := left.(type) {
	case *ast.SelectorExpr:
		if name := grown(right); name != "" {
			l.back = append(l.back, stored{name, left})
		}
	case *ast.Ident:
		kept, ok := emptied(right).(*ast.SelectorExpr)
		switch old := l.from[left.Name]; {
		case ok && (old == nil || same(old, kept)):
			l.from[left.Name] = kept
		case grown(right) != left.Name:
			l.bad[left.Name] = true
		}
	}
}

// grown returns the variable whose array, extended perhaps, is the value of an
// expression: b, b[:n], append(b, ...). "" if there is none.
func grown(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return grown(e.X)
	case *ast.Ident:
		return e.Name
	case *ast.SliceExpr:
		if e.Low == nil || zero(e.Low) {
			return grown(e.X)
		}
	case *ast.CallExpr:
		if len(e.Args) > 0 && extends(e.Fun) {
			return grown(e.Args[0])
		}
	}
	return ""
}
