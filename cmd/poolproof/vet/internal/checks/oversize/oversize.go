// Package oversize is PV012: buffers that grow, and are kept whatever their size.
package oversize

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
)

// Check is the check.
var Check = check.New(check.Check{
	Code: "PV012",
	Name: "oversize",
	Doc:  "a buffer that grows is put whatever its size",
	Tier: check.Audit,
}, run)

func run(p *check.Pass) {
	grown := grownTypes(p)
	for _, pool := range p.Events.Pools {
		for _, put := range pool.Puts {
			t := put.Type
			if t == nil || !(isBytesBuffer(t) || isSlice(t) && grown.has(t)) {
				continue
			}
			if fn := p.Around(put.Call); fn == nil || measures(p, fn.Body, t) {
				continue
			}
			arg := put.Call.Args[0]
			p.Report(check.Report{
				Pos: arg.Pos(), End: arg.End(),
				Message: fmt.Sprintf("%s is put whatever its size: after one large use the pool keeps a large buffer", types.ExprString(arg)),
				Remedy:  "drop buffers above a size limit",
			})
		}
	}
}

// isBytesBuffer reports whether t is *bytes.Buffer, which grows as a matter of
// course.
func isBytesBuffer(t types.Type) bool {
	return types.TypeString(types.Unalias(t), nil) == "*bytes.Buffer"
}

// isSlice reports whether t is a slice or a pointer to one.
func isSlice(t types.Type) bool {
	_, ok := syntax.Pointed(t).Underlying().(*types.Slice)
	return ok
}

// typeSet is a set of types that may be written in several ways.
type typeSet []types.Type

func (s typeSet) has(t types.Type) bool {
	return slices.ContainsFunc(s, func(x types.Type) bool { return types.Identical(x, t) })
}

// grownTypes are the types T and *[]E of which some value is appended to in the
// package: *p = append(*p, ...), or *p = b where b may be larger. A slice that
// without appends stays as large as New makes it.
func grownTypes(p *check.Pass) (grown typeSet) {
	add := func(e ast.Expr) {
		if t := p.TypesInfo.TypeOf(e); t != nil && isSlice(t) && !grown.has(t) {
			grown = append(grown, t)
		}
	}
	p.Inspect(func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != len(a.Rhs) {
			return true
		}
		for i, l := range a.Lhs {
			if star, ok := ast.Unparen(l).(*ast.StarExpr); ok && !shrinks(a.Rhs[i]) {
				add(star.X)
			} else if p.Builtin(a.Rhs[i]) == "append" {
				add(l)
			}
		}
		return true
	})
	return grown
}

// shrinks reports whether an expression is a part of a slice, and so no larger.
func shrinks(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.SliceExpr)
	return ok
}

// measures reports whether a function looks at the size of a value like the one
// that it puts: cap(*p), len(b), b.Cap(), b.Len() in a comparison or a call, as
// of a pool that is chosen by size.
func measures(p *check.Pass, body *ast.BlockStmt, t types.Type) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			found = found || looksAtSize(p, n.Cond, t)
		case *ast.SwitchStmt:
			found = found || n.Tag != nil && looksAtSize(p, n.Tag, t)
		case *ast.CaseClause:
			for _, e := range n.List {
				found = found || looksAtSize(p, e, t)
			}
		case *ast.IndexExpr:
			found = found || looksAtSize(p, n.Index, t)
		case *ast.AssignStmt: // n := cap(*p)
			for _, e := range n.Rhs {
				found = found || isSize(p, e, t)
			}
		}
		return !found
	})
	return found
}

func looksAtSize(p *check.Pass, e ast.Expr, t types.Type) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok && isSize(p, x, t) {
			found = true
		}
		return !found
	})
	return found
}

// isSize reports whether an expression is the size of a value of type t, or of
// the slice that it points to.
func isSize(p *check.Pass, e ast.Expr, t types.Type) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	if b := p.Builtin(call); b == "cap" || b == "len" {
		arg := p.TypesInfo.TypeOf(call.Args[0])
		return arg != nil && (types.Identical(arg, t) || types.Identical(arg, syntax.Pointed(t)) || isBytesBuffer(t))
	}
	if fn, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && names.IsSize(fn.Sel.Name) {
		x := p.TypesInfo.TypeOf(fn.X)
		return x != nil && (types.Identical(x, t) || types.Identical(types.NewPointer(x), t))
	}
	return false
}
