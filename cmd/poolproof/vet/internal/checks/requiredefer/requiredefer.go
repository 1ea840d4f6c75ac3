// Package requiredefer is PV020: a rule that a team may set itself. The result of
// certain functions must be put by a deferred call, which a panic does not skip.
package requiredefer

import (
	"fmt"
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
)

// Check is the check.
var Check = check.New(check.Check{
	Code: "PV020",
	Name: "require-defer",
	Doc:  "a result of a function that -require-defer names is not put by a deferred call",
	Tier: check.Audit,
	Else: check.Else{Tier: check.Warning, If: "`-tier` is warning, error if it is error"},
}, run)

func run(p *check.Pass) {
	names := p.Events.Options.RequireDefer
	if len(names) == 0 {
		return
	}
	p.Inspect(func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil {
				function(p, n.Body, names)
			}
		case *ast.FuncLit:
			function(p, n.Body, names)
		}
		return true
	})
}

// function looks at the calls of one function, leaving out the literals in it,
// whose defers are their own.
func function(p *check.Pass, body *ast.BlockStmt, names []string) {
	ast.PreorderStack(body, nil, func(n ast.Node, path []ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		if call, ok := n.(*ast.CallExpr); ok {
			if fn, ok := typeutil.Callee(p.TypesInfo, call).(*types.Func); ok && named(fn, names) {
				judge(p, call, fn, path, body)
			}
		}
		return true
	})
}

func judge(p *check.Pass, call *ast.CallExpr, fn *types.Func, path []ast.Node, body *ast.BlockStmt) {
	v, returned := result(p, call, path)
	if returned || v != nil && putByDefer(p, body, call, v) {
		return
	}
	p.Report(check.Report{
		Pos: call.Pos(), End: call.End(),
		// Who asks for it by a flag wants to see it at the tier that is shown.
		Tier:    min(check.Audit, p.Events.Options.Tier),
		Message: fmt.Sprintf("no deferred call puts the result of %s: a panic would skip the put", fn.Name()),
		Remedy:  "defer the put",
	})
}

// named reports whether a function is one of the names: "F" or "T.M" in any
// package, "example.com/p.F", or "example.com/p.T.M".
func named(fn *types.Func, names []string) bool {
	short := fn.Name()
	if recv := fn.Signature().Recv(); recv != nil {
		t := recv.Type()
		if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
			t = ptr.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok {
			short = n.Obj().Name() + "." + short
		}
	}
	return slices.ContainsFunc(names, func(name string) bool {
		return name == fn.Name() || name == short || fn.Pkg() != nil && name == fn.Pkg().Path()+"."+short
	})
}

// result is the variable that a call's first result is assigned to, through
// assertions. It is returned if the caller gets it: then the rule is his.
func result(p *check.Pass, call *ast.CallExpr, path []ast.Node) (v *types.Var, returned bool) {
	var child ast.Node = call
	for i := len(path) - 1; i >= 0; i-- {
		switch n := path[i].(type) {
		case *ast.ParenExpr, *ast.TypeAssertExpr:
			child = n
		case *ast.ReturnStmt:
			return nil, true
		case *ast.AssignStmt:
			for j, r := range n.Rhs {
				if r == child {
					return variable(p, n.Lhs[j]), false
				}
			}
			return nil, false
		case *ast.ValueSpec:
			for j, r := range n.Values {
				if r == child {
					return variable(p, n.Names[j]), false
				}
			}
			return nil, false
		default:
			return nil, false
		}
	}
	return nil, false
}

func variable(p *check.Pass, e ast.Expr) *types.Var {
	id, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := p.TypesInfo.ObjectOf(id).(*types.Var)
	return v
}

// putByDefer reports whether a defer statement after the get puts v, or calls
// a literal that does.
func putByDefer(p *check.Pass, body *ast.BlockStmt, get *ast.CallExpr, v *types.Var) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			if n.Pos() > get.Pos() {
				found = found || puts(p, n, v)
			}
			return false
		}
		return !found
	})
	return found
}

// puts reports whether a call below n gives v up.
func puts(p *check.Pass, n ast.Node, v *types.Var) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || found {
			return !found
		}
		if !release.MatchString(calleeName(call)) {
			return true
		}
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && is(p, sel.X, v) {
			found = true
		}
		for _, arg := range call.Args {
			found = found || is(p, arg, v)
		}
		return !found
	})
	return found
}

// release matches the names of functions that give an object back.
var release = regexp.MustCompile(`(?i)^_?(put|free|release|recycle|return|give_?back|close|done|dispose|drop|reuse|discard|destroy|unref)|(Put|Free|Release|Recycle|Close|Discard)$`)

func calleeName(call *ast.CallExpr) string {
	switch fn := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return fn.Name
	case *ast.SelectorExpr:
		return fn.Sel.Name
	case *ast.IndexExpr: // of a generic function
		return strings.TrimSpace(types.ExprString(fn.X))
	}
	return ""
}

func is(p *check.Pass, e ast.Expr, v *types.Var) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && p.TypesInfo.ObjectOf(id) == v
}
