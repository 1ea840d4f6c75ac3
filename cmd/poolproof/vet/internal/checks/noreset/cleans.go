package noreset

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

// cleansAround reports whether an object of type t that fn gets is reset by
// somebody, or has nothing to be reset. A function that puts as well has it for
// itself: then it, or what it calls, must. An object that goes out of the function
// may be reset anywhere, in another package too.
func (c *code) cleansAround(pool *events.Pool, fn *ast.FuncDecl, t types.Type) bool {
	for _, put := range pool.Puts {
		if c.pass.Around(put.Call) == fn {
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
	for other := range c.pass.Funcs() {
		if c.cleans(other, t, 0) {
			return true
		}
		dirty = dirty || c.dirties(other, t)
	}
	return !dirty
}

// dirties reports whether a function may leave data in what it has of
// type t. A slice is written over from its start, unless it is appended to.
func (c *code) dirties(fn *ast.FuncDecl, t types.Type) bool {
	switch syntax.Pointed(t).Underlying().(type) {
	case *types.Slice, *types.Map:
		return c.adds(fn, t)
	case *types.Struct:
		return hasReset(t) || c.decodes(fn, t)
	}
	return true
}

// decodes reports whether a function decodes a text into something of type t, by a decoder that sets the
// fields which it finds there, and leaves the others as they are.
func (c *code) decodes(fn *ast.FuncDecl, t types.Type) (found bool) {
	ast.Inspect(fn, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || found || len(call.Args) == 0 || !c.isOf(call.Args[len(call.Args)-1], t) {
			return !found
		}
		callee, ok := typeutil.Callee(c.pass.TypesInfo, call).(*types.Func)
		found = ok && callee.Pkg() != nil && slices.Contains(sparing, callee.Pkg().Path()) && (callee.Name() == "Unmarshal" || callee.Name() == "Decode")
		return !found
	})
	return found
}

// sparing are the packages of such decoders.
var sparing = []string{
	"encoding/json", "encoding/xml", "encoding/gob", "encoding/json/v2", "gopkg.in/yaml.v2", "gopkg.in/yaml.v3",
	"github.com/json-iterator/go", "github.com/goccy/go-json", "github.com/bytedance/sonic", "github.com/segmentio/encoding/json",
}

// adds reports whether a function appends to a slice of type t, or sets
// elements of a map.
func (c *code) adds(fn *ast.FuncDecl, t types.Type) bool {
	found := false
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = found || c.pass.Builtin(n) == "append" && len(n.Args) > 0 && c.isOf(n.Args[0], t)
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

// overwrites reports whether an assignment gives *x, or a field of x, a new
// value.
func (c *code) overwrites(left ast.Expr, tok token.Token, t types.Type) bool {
	if tok != token.ASSIGN {
		return false
	}
	switch l := ast.Unparen(left).(type) {
	case *ast.StarExpr:
		_, isStruct := syntax.Pointed(t).Underlying().(*types.Struct)
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
