package unpool

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// plainOnly says why a pool cannot be taken out as one would write it.
func plainOnly(pool *Pool) string {
	if k := pool.uses[0].kind; k != kinds[0] {
		return "it is one of " + k.path
	}
	if len(pool.makers) > 1 {
		return fmt.Sprintf("%d functions make its objects", len(pool.makers))
	}
	for _, u := range pool.uses {
		if u.call == nil {
			return "its methods are used as values"
		}
		if !pure(u.sel.X) {
			return fmt.Sprintf("what names it in line %d does more than that", u.pkg.Fset.Position(u.sel.Pos()).Line)
		}
	}
	for _, d := range pool.decls {
		if name := handed(d); name != "" {
			return "the variable " + name + ", which is given it, would have no use"
		}
	}
	if len(pool.makers) == 0 {
		return withoutNew(pool)
	}
	if pool.loose {
		return "it may be a pool of code that is not followed, with another New"
	}
	m := pool.makers[0]
	s, why := substituteOf(m)
	if why != "" {
		return "New " + why
	}
	for _, u := range pool.uses {
		if u.put {
			continue
		}
		if why := s.fits(m, u); why != "" {
			return why
		}
		if pool.bare && asks(u) {
			return "it may have no New yet where a Get asks what it returned"
		}
	}
	return ""
}

// withoutNew says why a pool whose users make objects by themselves, where Get returns
// nil, has no form that one would write.
func withoutNew(pool *Pool) string {
	if pool.loose {
		return "it may be a pool of code that is not followed, with a New"
	}
	for _, u := range pool.uses {
		if u.put || found(u) != nil || made(u) != nil {
			continue
		}
		if _, miss := missed(u); miss == nil {
			return "it has no New, and its Get in line " + strconv.Itoa(u.pkg.Fset.Position(u.sel.Pos()).Line) + " is not followed by a test for nil that one could leave out"
		}
	}
	return ""
}

// asks reports whether a Get may return nil: what it returns is not asserted to a type, or with a question.
func asks(u use) bool {
	a, asserted := syntax.Parent(u.path).(*ast.TypeAssertExpr)
	if !asserted {
		return true
	}
	_, two := u.pkg.TypesInfo.TypeOf(a).(*types.Tuple)
	return two
}

// handed is the name of a local variable that gets a pool from elsewhere; "" for others.
func handed(m mention) string {
	if m.v.IsField() || m.v.Parent() == m.pkg.Types.Scope() || syntax.Parameter(m.path) {
		return ""
	}
	var values []ast.Expr
	switch p := m.path[len(m.path)-1].(type) {
	case *ast.AssignStmt:
		values = p.Rhs
	case *ast.ValueSpec:
		values = p.Values
	case *ast.RangeStmt:
		return m.v.Name()
	}
	for _, e := range values {
		if a, ok := e.(*ast.UnaryExpr); ok && a.Op == token.AND {
			e = a.X
		}
		if _, literal := e.(*ast.CompositeLit); !literal {
			return m.v.Name()
		}
	}
	return ""
}
