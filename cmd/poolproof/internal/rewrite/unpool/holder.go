package unpool

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/rewrite/edit"
)

// holderOf is the variable that a pool's New is assigned through, as e in e.pool.New = f or
// e.pool = sync.Pool{New: f}: e at a Get of e.pool stands for the same object. It is a pointer
// that is never assigned again; nil for others.
func (r reader) holderOf(target ast.Expr) *types.Var {
	sel, ok := ast.Unparen(target).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := r.info().Uses[id].(*types.Var)
	if !ok || v.IsField() || v.Parent() == r.pkg.Types.Scope() {
		return nil
	}
	if _, pointer := v.Type().Underlying().(*types.Pointer); !pointer || r.changed(v) {
		return nil
	}
	return v
}

// changed reports whether a variable gets another value than its first, or its address is taken.
func (r reader) changed(v *types.Var) (changed bool) {
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && r.info().Uses[id] == v
	}
	ast.Inspect(r.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				changed = changed || is(l)
			}
		case *ast.RangeStmt:
			changed = changed || n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value)
		case *ast.UnaryExpr:
			changed = changed || n.Op == token.AND && is(n.X)
		}
		return !changed
	})
	return changed
}

// atGet is the expression that stands for the holder at a Get: e of e.pool.Get(). nil: the pool is
// named in another way there.
func (m maker) atGet(u use) ast.Expr {
	sel, ok := ast.Unparen(u.sel.X).(*ast.SelectorExpr)
	if !ok || !pure(sel.X) || !identical(u.pkg.TypesInfo.TypeOf(sel.X), m.holder.Type()) {
		return nil
	}
	return sel.X
}

// held says why the holder in New cannot become what stands for it at a Get.
func (m maker) held(u use, n ast.Node) string {
	if !m.holds(n) {
		return ""
	}
	at := m.atGet(u)
	if at == nil {
		return "New uses " + m.holder.Name() + ", which has no name at a Get"
	}
	root := rootName(at)
	shadowed := root == ""
	ast.Inspect(n, func(x ast.Node) bool {
		id, ok := x.(*ast.Ident)
		shadowed = shadowed || ok && id.Name == root && root != m.holder.Name() && m.pkg.TypesInfo.Defs[id] != nil
		return true
	})
	if shadowed {
		return "New declares " + root + ", which is something else at a Get"
	}
	return ""
}

// holds reports whether the holder stands below n.
func (m maker) holds(n ast.Node) (found bool) {
	if m.holder == nil {
		return false
	}
	ast.Inspect(n, func(x ast.Node) bool {
		id, ok := x.(*ast.Ident)
		found = found || ok && m.pkg.TypesInfo.Uses[id] == m.holder
		return !found
	})
	return found
}

// code is the source of a node of New as it stands at a Get, with what the holder is there.
func (m maker) code(set *edit.Set, u use, n ast.Node) (string, error) {
	text, err := set.Code(n)
	if err != nil || !m.holds(n) {
		return text, err
	}
	at, err := set.Code(m.atGet(u))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	last := 0
	ast.Inspect(n, func(x ast.Node) bool {
		if id, ok := x.(*ast.Ident); ok && m.pkg.TypesInfo.Uses[id] == m.holder {
			from := int(id.Pos() - n.Pos())
			b.WriteString(text[last:from] + at)
			last = from + len(id.Name)
		}
		return true
	})
	return b.String() + text[last:], nil
}
