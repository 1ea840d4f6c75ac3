// Package overwritten is PV009: a pool that is replaced while others may be
// using it.
package overwritten

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/pooldecl"
)

// Check is the check.
var Check = check.New(check.Check{
	Code: "PV009",
	Name: "pool-overwritten",
	Doc:  "a pool of an object that came from a caller is overwritten",
	Tier: check.Error,
}, run)

func run(p *check.Pass) {
	owners := freshReceivers(p)
	for fn := range p.Funcs() {
		obj, _ := p.TypesInfo.Defs[fn.Name].(*types.Func)
		if obj != nil && owners[obj] != onlyFresh && !names.IsPreparing(fn.Name.Name) {
			function(p, fn)
		}
	}
}

// function looks at the assignments of one function. Those in function
// literals run when other code calls them, as options of a constructor do.
func function(p *check.Pass, fn *ast.FuncDecl) {
	given := pointers(p, fn)
	ast.PreorderStack(fn.Body, nil, func(n ast.Node, path []ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.ASSIGN {
			for _, l := range a.Lhs {
				if target := ast.Unparen(l); replaces(p, target) && given[root(p, target)] && !tested(p, target, path) && !locked(p, fn, a.Pos()) {
					p.Report(check.Report{
						Pos: a.Pos(), End: a.End(),
						Message: fmt.Sprintf("%s is overwritten while other code may be using %s: a concurrent Get or Put can see half of each pool, and the objects in the old one are lost", types.ExprString(target), part(p, target)),
						Remedy:  "make the pool once, before other code has it",
					})
				}
			}
		}
		return true
	})
}

// replaces reports whether an assignment to target puts another pool in the place
// of one that callers have: x.pool, *p of a pool, or *x with a pool in it.
func replaces(p *check.Pass, target ast.Expr) bool {
	t := p.TypesInfo.TypeOf(target)
	if t == nil {
		return false
	}
	switch target.(type) {
	case *ast.SelectorExpr:
		return pooldecl.IsPoolValue(t)
	case *ast.StarExpr:
		return pooldecl.Contains(t)
	}
	return false
}

// part says what of the target is the pool.
func part(p *check.Pass, target ast.Expr) string {
	if pooldecl.IsPoolValue(p.TypesInfo.TypeOf(target)) {
		return "it"
	}
	return "the pool in it"
}

// pointers are the parameters and the receiver of a function through which it
// reaches what its caller has.
func pointers(p *check.Pass, fn *ast.FuncDecl) map[*types.Var]bool {
	given := map[*types.Var]bool{}
	for _, list := range []*ast.FieldList{fn.Recv, fn.Type.Params} {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			for _, name := range field.Names {
				v, ok := p.TypesInfo.Defs[name].(*types.Var)
				if _, isPointer := p.TypesInfo.TypeOf(field.Type).Underlying().(*types.Pointer); ok && isPointer {
					given[v] = true
				}
			}
		}
	}
	return given
}

// root is the variable that a chain of selectors begins with.
func root(p *check.Pass, e ast.Expr) *types.Var {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.Ident:
			v, _ := p.TypesInfo.Uses[x].(*types.Var)
			return v
		default:
			return nil
		}
	}
}

// tested reports whether an if around the assignment looks at the pool's owner,
// as "if !x.ready" and "if x.pool.New == nil" do: it is made once then.
func tested(p *check.Pass, target ast.Expr, path []ast.Node) bool {
	owner := root(p, target)
	found := false
	for _, n := range path {
		if branch, ok := n.(*ast.IfStmt); ok {
			ast.Inspect(branch.Cond, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				found = found || ok && root(p, sel) == owner
				return !found
			})
		}
	}
	return found
}

// callers say on what a method is called.
type callers uint8

const (
	unknown   callers = iota
	onlyFresh         // only on objects that the caller has just made
	others
)

// freshReceivers finds the unexported methods that are only called on objects
// which their callers have made themselves: they are part of a constructor.
func freshReceivers(p *check.Pass) map[*types.Func]callers {
	result := map[*types.Func]callers{}
	for _, file := range p.Files {
		var made map[*types.Var]bool
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				made = pooldecl.Fresh(p.TypesInfo, nil, n)
			case *ast.CallExpr:
				sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if fn := method(p, sel); fn != nil {
					kind := others
					if id, ok := ast.Unparen(sel.X).(*ast.Ident); ok && result[fn] != others {
						if v, ok := p.TypesInfo.Uses[id].(*types.Var); ok && made[v] {
							kind = onlyFresh
						}
					}
					result[fn] = kind
				}
			}
			return true
		})
	}
	return result
}

// method is the unexported method of this package that a selector names.
func method(p *check.Pass, sel *ast.SelectorExpr) *types.Func {
	fn, ok := p.TypesInfo.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Exported() || fn.Pkg() != p.Pkg || fn.Signature().Recv() == nil {
		return nil
	}
	return fn.Origin()
}

// locked reports whether a function has locked a mutex before it reaches a position: the
// Gets and Puts of the pool may take it too.
func locked(p *check.Pass, fn *ast.FuncDecl, pos token.Pos) bool {
	found := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || call.Pos() > pos {
			return !found
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
			callee, _ := p.TypesInfo.Uses[sel.Sel].(*types.Func)
			found = found || callee != nil && callee.Name() == "Lock" && callee.Pkg() != nil && callee.Pkg().Path() == "sync"
		}
		return !found
	})
	return found
}
