// Package poolcalls finds the calls that get and put pooled objects by a simple
// look at the code: enough to change programs on purpose, and independent of the
// analysis that is judged by the changes.
package poolcalls

import (
	"go/ast"
	"go/token"
	"go/types"
)

// The methods of sync.Pool.
const (
	PoolGet = "(*sync.Pool).Get"
	PoolPut = "(*sync.Pool).Put"
)

// Index knows which functions get and put: those of sync.Pool, and the wrappers
// directly around them.
type Index struct {
	// Puts is the argument that a function puts: -1 is the receiver.
	Puts map[string]int
	// Gets are functions whose first result is pooled.
	Gets map[string]bool
}

// New returns an index that knows sync.Pool only.
func New() *Index {
	return &Index{Puts: map[string]int{PoolPut: 0}, Gets: map[string]bool{PoolGet: true}}
}

// Add looks for wrappers in the files of a package.
func (x *Index) Add(files []*ast.File, info *types.Info) {
	for _, f := range files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			obj, ok := info.Defs[fn.Name].(*types.Func)
			if !ok {
				continue
			}
			if i, ok := x.putsParam(fn, info); ok {
				x.Puts[obj.FullName()] = i
			}
			if x.returnsGot(fn, info) {
				x.Gets[obj.FullName()] = true
			}
		}
	}
}

// putsParam says which parameter a function without results puts, by a statement
// of its own. Functions that count are none: their put is that of the last owner.
func (x *Index) putsParam(fn *ast.FuncDecl, info *types.Info) (at int, found bool) {
	if fn.Type.Results.NumFields() > 0 || counts(fn.Body) {
		return 0, false
	}
	for _, s := range fn.Body.List {
		stmt, ok := s.(*ast.ExprStmt)
		if !ok {
			continue
		}
		call, ok := stmt.X.(*ast.CallExpr)
		if !ok {
			continue
		}
		if id, ok := x.PutArg(call, info).(*ast.Ident); ok {
			if i, ok := paramIndex(fn, info, info.Uses[id]); ok {
				at, found = i, true
			}
		}
	}
	return at, found
}

// counts says whether a body counts something down.
func counts(body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IncDecStmt:
			found = found || n.Tok == token.DEC
		case *ast.SelectorExpr:
			switch n.Sel.Name {
			case "Add", "AddInt32", "AddInt64", "CompareAndSwap", "Swap":
				found = true
			}
		}
		return true
	})
	return found
}

// paramIndex returns which parameter obj is; -1 is the receiver.
func paramIndex(fn *ast.FuncDecl, info *types.Info, obj types.Object) (int, bool) {
	if obj == nil {
		return 0, false
	}
	if fn.Recv != nil {
		for _, f := range fn.Recv.List {
			for _, n := range f.Names {
				if info.Defs[n] == obj {
					return -1, true
				}
			}
		}
	}
	i := 0
	for _, f := range fn.Type.Params.List {
		for _, n := range f.Names {
			if info.Defs[n] == obj {
				return i, true
			}
			i++
		}
	}
	return 0, false
}

// returnsGot says whether a return statement of fn returns what a Get returned,
// itself or through one variable.
func (x *Index) returnsGot(fn *ast.FuncDecl, info *types.Info) bool {
	if fn.Type.Results.NumFields() == 0 {
		return false
	}
	got := make(map[types.Object]bool)
	result := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			if len(n.Rhs) == 1 && x.IsGet(n.Rhs[0], info) {
				if id, ok := n.Lhs[0].(*ast.Ident); ok {
					got[object(info, id)] = true
				}
			}
		case *ast.ReturnStmt:
			if len(n.Results) > 0 {
				if id, ok := n.Results[0].(*ast.Ident); ok && got[info.Uses[id]] {
					result = true
				}
				result = result || x.IsGet(n.Results[0], info)
			}
		}
		return true
	})
	return result
}

// IsGet says whether e is a call that gets, or an assertion of one.
func (x *Index) IsGet(e ast.Expr, info *types.Info) bool {
	e = ast.Unparen(e)
	if a, ok := e.(*ast.TypeAssertExpr); ok {
		e = ast.Unparen(a.X)
	}
	call, ok := e.(*ast.CallExpr)
	return ok && x.Gets[Callee(call, info)]
}

// PutArg returns the expression that a call puts, or nil.
func (x *Index) PutArg(call *ast.CallExpr, info *types.Info) ast.Expr {
	i, ok := x.Puts[Callee(call, info)]
	switch {
	case !ok:
		return nil
	case i == -1:
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
			return sel.X
		}
		return nil
	case i < len(call.Args):
		return call.Args[i]
	}
	return nil
}

// Callee returns the full name of the function or method that is called, or "".
func Callee(call *ast.CallExpr, info *types.Info) string {
	fun := ast.Unparen(call.Fun)
	switch f := fun.(type) {
	case *ast.IndexExpr:
		fun = f.X
	case *ast.IndexListExpr:
		fun = f.X
	}
	var id *ast.Ident
	switch f := fun.(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return ""
	}
	fn, ok := info.Uses[id].(*types.Func)
	if !ok {
		return ""
	}
	return fn.Origin().FullName()
}

func object(info *types.Info, id *ast.Ident) types.Object {
	if o := info.Defs[id]; o != nil {
		return o
	}
	return info.Uses[id]
}

// Local returns the object of e if it is a variable of the function that holds
// pos, and nil for everything else.
func Local(e ast.Expr, info *types.Info, fn *ast.FuncDecl) types.Object {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := object(info, id).(*types.Var)
	if !ok || v.IsField() || !within(fn, v.Pos()) {
		return nil
	}
	return v
}

func within(n ast.Node, p token.Pos) bool { return n.Pos() <= p && p < n.End() }
