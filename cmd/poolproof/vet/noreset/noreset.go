// Package noreset is PV011: objects with state that nobody resets between two
// users.
package noreset

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

// Check is the check.
var Check = check.New(check.Check{
	Code: "PV011",
	Name: "no-reset",
	Doc:  "an object with state is reset neither before Put nor after Get",
	Tier: check.Audit,
}, run)

func run(p *check.Pass) {
	p.Histories(func(obj *events.Object, h *events.History) {
		read := h.Last()
		if read.Kind != events.Exit || read.How != events.Stale {
			return
		}
		p.Report(check.Report{
			Pos: read.Pos, End: read.End, Tier: check.Warning,
			Message: "the field " + read.What + " is read as the last user of " + check.Name(obj) + " left it: " + p.Line(h.Events[0]) + " took it from a pool, and no code clears the field",
			Related: check.Related(h.Events[0]),
		})
	})
	c := codeOf(p.Pass)
	for _, pool := range p.Events.Pools {
		if len(pool.Puts) == 0 {
			continue // nothing comes back
		}
		for _, get := range pool.Gets {
			t := get.Asserted
			if t == nil || p.Events.Test(get.Call.Pos()) || !hasState(t) {
				continue
			}
			fn := c.around[get.Call]
			if fn == nil || c.cleansAround(pool, fn, t) {
				continue
			}
			put := pool.Puts[0].Call
			p.Report(check.Report{
				Pos: get.Call.Pos(), End: get.Call.End(),
				Message: fmt.Sprintf("this %s still holds the data of its last user: nothing resets it before Put or after Get", types.TypeString(t, types.RelativeTo(p.Pkg))),
				Related: []analysis.RelatedInformation{{Pos: put.Pos(), End: put.End(), Message: "put as it is"}},
			})
		}
	}
}

// hasState reports whether values of t are told to begin anew by a method, or
// are structs, slices and maps, of which we see it.
func hasState(t types.Type) bool {
	switch elem(t).Underlying().(type) {
	case *types.Slice, *types.Map, *types.Struct:
		return true
	}
	return hasReset(t)
}

func hasReset(t types.Type) bool {
	reset, _, _ := types.LookupFieldOrMethod(t, true, nil, "Reset")
	_, ok := reset.(*types.Func)
	return ok
}

// elem is what a pointer points to, and any other type itself.
func elem(t types.Type) types.Type {
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		return ptr.Elem()
	}
	return t
}

// code is the functions of a package as this check looks at them.
type code struct {
	pass   *analysis.Pass
	around map[*ast.CallExpr]*ast.FuncDecl // the declared function around a call
	bodies map[*types.Func]*ast.FuncDecl
}

func codeOf(pass *analysis.Pass) *code {
	c := &code{pass, map[*ast.CallExpr]*ast.FuncDecl{}, map[*types.Func]*ast.FuncDecl{}}
	for _, file := range pass.Files {
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			if obj, ok := pass.TypesInfo.Defs[fn.Name].(*types.Func); ok {
				c.bodies[obj] = fn
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					c.around[call] = fn
				}
				return true
			})
		}
	}
	return c
}

// cleansAround reports whether an object of type t that fn gets is reset by
// somebody, or has nothing to be reset. A function that puts as well has it for
// itself: then it, or what it calls, must. An object that goes out of the function
// may be reset anywhere, in another package too.
func (c *code) cleansAround(pool *events.Pool, fn *ast.FuncDecl, t types.Type) bool {
	for _, put := range pool.Puts {
		if c.around[put.Call] == fn {
			if sometimes, always := c.fields(fn, t); len(sometimes) > 0 && !always {
				return false
			}
			return !c.dirties(fn, t) || c.cleans(fn, t, 1)
		}
	}
	if fn.Name.IsExported() {
		return true
	}
	dirty := false
	for _, other := range c.bodies {
		if c.cleans(other, t, 0) {
			return true
		}
		dirty = dirty || c.dirties(other, t)
	}
	return !dirty
}

// dirties reports whether a function may leave something behind in what it has of
// type t. A slice is written over from its start, unless it is appended to.
func (c *code) dirties(fn *ast.FuncDecl, t types.Type) bool {
	switch elem(t).Underlying().(type) {
	case *types.Slice, *types.Map:
		return c.adds(fn, t)
	case *types.Struct:
		if !hasReset(t) {
			return false
		}
	}
	return true
}

// adds reports whether a function appends to a slice of type t, or sets
// elements of a map.
func (c *code) adds(fn *ast.FuncDecl, t types.Type) bool {
	found := false
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = found || c.builtin(n) == "append" && len(n.Args) > 0 && c.isOf(n.Args[0], t)
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				found = found || c.isElement(l, t)
			}
		case *ast.IncDecStmt:
			found = found || c.isElement(n.X, t)
		}
		return !found
	})
	return found
}

// isElement reports whether an expression is an element of a map of type t.
func (c *code) isElement(e ast.Expr, t types.Type) bool {
	ix, ok := ast.Unparen(e).(*ast.IndexExpr)
	_, isMap := elem(t).Underlying().(*types.Map)
	return ok && isMap && c.isOf(ix.X, t)
}

// cleans reports whether a function resets something of type t, or calls one in
// this package that does, as deep as depth says.
func (c *code) cleans(fn *ast.FuncDecl, t types.Type, depth int) bool {
	found := false
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = found || c.resets(n, t) || depth > 0 && c.calls(n, t, depth)
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				found = found || c.overwrites(l, n.Tok, t)
			}
		case *ast.SliceExpr: // b[:0]
			found = found || c.isOf(n.X, t) && n.High != nil && isZero(n.High)
		}
		return !found
	})
	return found
}

// isOf reports whether an expression is a value of type t, or what it points to.
func (c *code) isOf(e ast.Expr, t types.Type) bool {
	x := c.pass.TypesInfo.TypeOf(e)
	return x != nil && (types.Identical(x, t) || types.Identical(x, elem(t)))
}

func (c *code) builtin(call *ast.CallExpr) string {
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := c.pass.TypesInfo.Uses[id].(*types.Builtin); ok {
			return b.Name()
		}
	}
	return ""
}

// overwrites reports whether an assignment gives *x, or a field of x, a new
// value.
func (c *code) overwrites(left ast.Expr, tok token.Token, t types.Type) bool {
	if tok != token.ASSIGN {
		return false
	}
	switch l := ast.Unparen(left).(type) {
	case *ast.StarExpr:
		_, isStruct := elem(t).Underlying().(*types.Struct)
		return isStruct && c.isOf(l.X, t)
	case *ast.SelectorExpr:
		return c.isOf(l.X, t)
	}
	return false
}

func isZero(e ast.Expr) bool {
	lit, ok := ast.Unparen(e).(*ast.BasicLit)
	return ok && lit.Value == "0"
}
