package lostgrowth

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
)

// late returns the fix for a deferred call that puts a slice as it was: a literal
// around the call, which puts what the variable holds by then. That is right if the
// variable still holds the same slice then, only longer or moved, and if all else
// that the call is made of stays as it is.
func late(p *check.Pass, node ast.Node) []analysis.SuggestedFix {
	call, ok := node.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil
	}
	slice, ok := call.Args[0].(*ast.Ident)
	if !ok {
		return nil
	}
	fn := around(p, call)
	if fn == nil {
		return nil
	}
	w := writes{p: p, fn: fn, after: call.End()}
	if !w.constant(call.Fun) || !w.grows(slice) {
		return nil
	}
	return []analysis.SuggestedFix{{
		Message: "put the slice as it is when the function returns",
		TextEdits: []analysis.TextEdit{
			{Pos: call.Pos(), End: call.Pos(), NewText: []byte("func() { ")},
			{Pos: call.End(), End: call.End(), NewText: []byte(" }()")},
		},
	}}
}

// around returns the function that defers a call, nil if it does so in a loop.
func around(p *check.Pass, call *ast.CallExpr) ast.Node {
	for _, n := range p.Path(call) {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.LabeledStmt:
			return nil
		case *ast.FuncDecl, *ast.FuncLit:
			return n
		}
	}
	return nil
}

// writes looks at what a function does to variables after a deferred call.
type writes struct {
	p     *check.Pass
	fn    ast.Node
	after token.Pos
}

// constant reports whether the function that is called is the same when it runs:
// a function or method by its name, of a variable that nothing is assigned to.
func (w *writes) constant(fun ast.Expr) bool {
	switch fun := ast.Unparen(fun).(type) {
	case *ast.Ident:
		_, ok := w.p.TypesInfo.Uses[fun].(*types.Func)
		return ok
	case *ast.SelectorExpr:
		if _, ok := w.p.TypesInfo.Uses[fun.Sel].(*types.Func); !ok {
			return false
		}
		x, ok := ast.Unparen(fun.X).(*ast.Ident)
		return ok && w.all(x, func(ast.Expr) bool { return false })
	}
	return false
}

// grows reports whether a variable of the function only ever becomes longer,
// shorter at its end, or larger: b = append(b, x), b = b[:n].
func (w *writes) grows(slice *ast.Ident) bool {
	v := w.p.TypesInfo.Uses[slice]
	if v == nil || v.Pos() < w.fn.Pos() || v.Pos() > w.fn.End() || w.isResult(v) {
		return false
	}
	return w.all(slice, func(value ast.Expr) bool {
		for {
			switch x := ast.Unparen(value).(type) {
			case *ast.SliceExpr:
				if x.Low != nil || x.Max != nil {
					return false
				}
				value = x.X
				continue
			case *ast.CallExpr:
				if len(x.Args) == 0 || !appends(w.p, x) {
					return false
				}
				value = x.Args[0]
				continue
			case *ast.Ident:
				return w.p.TypesInfo.Uses[x] == v
			}
			return false
		}
	})
}

// appends reports whether a call is of append, or of a function of the standard
// library that appends to its first argument, as strconv.AppendInt does.
func appends(p *check.Pass, call *ast.CallExpr) bool {
	if fun, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		fn, ok := p.TypesInfo.Uses[fun.Sel].(*types.Func)
		return ok && fn.Pkg() != nil && (fn.Pkg().Path() == "strconv" || fn.Pkg().Path() == "fmt" || fn.Pkg().Path() == "unicode/utf8") && strings.HasPrefix(fn.Name(), "Append")
	}
	return p.Builtin(call) == "append"
}

// isResult reports whether a variable is a result: return sets it before deferred
// calls run.
func (w *writes) isResult(v types.Object) bool {
	var t *ast.FuncType
	switch fn := w.fn.(type) {
	case *ast.FuncDecl:
		t = fn.Type
	case *ast.FuncLit:
		t = fn.Type
	}
	return t.Results != nil && t.Results.Pos() <= v.Pos() && v.Pos() < t.Results.End()
}

// all reports whether each assignment to a variable after the call is fine. Its
// address is not taken anywhere.
func (w *writes) all(id *ast.Ident, fine func(value ast.Expr) bool) bool {
	obj := w.p.TypesInfo.Uses[id]
	is := func(e ast.Expr) bool {
		x, ok := ast.Unparen(e).(*ast.Ident)
		return ok && w.p.TypesInfo.ObjectOf(x) == obj
	}
	good := true
	var look func(root ast.Node, later bool)
	look = func(root ast.Node, later bool) {
		ast.Inspect(root, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				if n != root {
					look(n, true) // it may run whenever
					return false
				}
			case *ast.UnaryExpr:
				good = good && !(n.Op == token.AND && is(n.X))
			case *ast.RangeStmt:
				good = good && !(n.Key != nil && is(n.Key)) && !(n.Value != nil && is(n.Value))
			case *ast.AssignStmt:
				for i, l := range n.Lhs {
					if is(l) && (later || n.Pos() > w.after) {
						good = good && len(n.Lhs) == len(n.Rhs) && fine(n.Rhs[i])
					}
				}
			}
			return good
		})
	}
	look(w.fn, false)
	return good
}
