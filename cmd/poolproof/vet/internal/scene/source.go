package scene

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"
)

// source finds syntax by position.
type source struct {
	calls   map[token.Pos]*ast.CallExpr // by the left parenthesis
	names   map[token.Pos]string        // the variable to which what stands there is assigned: a call by its parenthesis, an element, what is received
	tuples  map[token.Pos][]ast.Expr    // all that a call with several results is assigned to, by its parenthesis
	Returns map[token.Pos]*ast.ReturnStmt
}

// Syntax returns the source of the package.
func (o *Package) Syntax() *source {
	if o.source == nil {
		o.source = newSource(o.Pass)
	}
	return o.source
}

func newSource(pass *analysis.Pass) *source {
	s := &source{
		calls:   make(map[token.Pos]*ast.CallExpr),
		names:   make(map[token.Pos]string),
		tuples:  make(map[token.Pos][]ast.Expr),
		Returns: make(map[token.Pos]*ast.ReturnStmt),
	}
	for _, file := range pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				s.calls[n.Lparen] = n
			case *ast.ReturnStmt:
				s.Returns[n.Pos()] = n
			case *ast.AssignStmt:
				s.assign(n.Lhs, n.Rhs)
			case *ast.ValueSpec:
				var names []ast.Expr
				for _, name := range n.Names {
					names = append(names, name)
				}
				s.assign(names, n.Values)
			case *ast.RangeStmt:
				if key, ok := n.Key.(*ast.Ident); ok {
					s.names[n.For] = key.Name // what is received, if it is a channel
				}
			}
			return true
		})
	}
	return s
}

func (s *source) assign(left, right []ast.Expr) {
	for i, rhs := range right {
		if call, ok := ast.Unparen(rhs).(*ast.CallExpr); ok && len(left) > len(right) {
			s.tuples[call.Lparen] = left
		}
		name, ok := left[min(i, len(left)-1)].(*ast.Ident)
		if !ok || name.Name == "_" {
			continue
		}
		// The call may stand in an assertion, an index or a pair of parentheses.
		for {
			switch x := rhs.(type) {
			case *ast.ParenExpr:
				rhs = x.X
				continue
			case *ast.TypeAssertExpr:
				rhs = x.X
				continue
			case *ast.UnaryExpr:
				if s.names[x.OpPos] = name.Name; x.Op == token.AND {
					rhs = x.X
					continue
				}
			case *ast.IndexExpr:
				s.names[x.Lbrack] = name.Name
			case *ast.CallExpr:
				s.names[x.Lparen] = name.Name
			case *ast.SelectorExpr:
				s.names[x.Sel.Pos()] = name.Name
			}
			break
		}
	}
}

// Call returns the call with a left parenthesis at a position, nil if there is none.
func (s *source) Call(lparen token.Pos) *ast.CallExpr { return s.calls[lparen] }

// result returns the variable to which result i of a call with several is assigned.
func (s *source) result(lparen token.Pos, i int) string {
	if to := s.tuples[lparen]; i < len(to) {
		if name, ok := to[i].(*ast.Ident); ok && name.Name != "_" {
			return name.Name
		}
	}
	return ""
}

func (s *source) assigned(pos token.Pos) string { return s.names[pos] }

// anchor is where a call is said to be: at its beginning, or at the name of the
// method if the call goes over several lines.
func anchor(call *ast.CallExpr) token.Pos {
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
		if _, chained := ast.Unparen(sel.X).(*ast.CallExpr); chained {
			return sel.Sel.Pos()
		}
	}
	return call.Pos()
}
