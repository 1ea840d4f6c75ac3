// Package localpool is PV010: a pool that lives no longer than the call that
// makes it.
package localpool

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/pooldecl"
)

// Check is the check.
var Check = check.New(check.Check{
	Code: "PV010",
	Name: "local-pool",
	Doc:  "a pool is made in each call, used once, and left to the collector",
	Tier: check.Error,
}, run)

func run(p *check.Pass) {
	uses := usesOf(p)
	made, makers := map[*types.Var]bool{}, pooldecl.MakersOf(p.TypesInfo, p.Files)
	for _, file := range p.Files {
		maps.Copy(made, pooldecl.Fresh(p.TypesInfo, makers, file))
	}
	for _, pool := range p.Events.Pools {
		if pool.Kind != events.LocalPool || len(pool.Gets) != 1 {
			continue
		}
		// Tests make pools to look at them; main is called once.
		v := variable(p, pool.Gets[0].Call)
		if v == nil || !made[v] || p.Events.Test(v.Pos()) {
			continue
		}
		if u := uses[v]; u == nil || u.kept || u.main || u.repeated {
			continue
		}
		p.Report(check.Report{
			Pos:     v.Pos(),
			Message: fmt.Sprintf("the pool %s is made in each call and used once: it is always empty and only costs time; make it a package variable, or a field of a value that lives longer", v.Name()),
		})
	}
}

// variable is the local variable x of x.Get.
func variable(p *check.Pass, get *ast.CallExpr) *types.Var {
	sel, ok := ast.Unparen(get.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := p.TypesInfo.Uses[id].(*types.Var)
	if !ok || v.IsField() || v.Parent() == p.Pkg.Scope() {
		return nil
	}
	return v
}

// use describes the uses of a local pool.
type use struct {
	kept     bool // it is more than the receiver of its methods: it may live on
	repeated bool // a get is in a loop that began after the pool was made, or in a function literal
	main     bool // it is made in func main
}

// usesOf looks at all uses of local variables.
func usesOf(p *check.Pass) map[*types.Var]*use {
	all := map[*types.Var]*use{}
	at := func(v *types.Var) *use {
		if all[v] == nil {
			all[v] = new(use)
		}
		return all[v]
	}
	for _, file := range p.Files {
		ast.PreorderStack(file, nil, func(n ast.Node, path []ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if v, ok := p.TypesInfo.Uses[id].(*types.Var); ok && !v.IsField() {
					u := at(v)
					u.kept = u.kept || !receiver(id, path)
					u.repeated = u.repeated || repeated(v, path)
					u.main = u.main || inMain(p, path)
				}
			}
			return true
		})
	}
	return all
}

// receiver reports whether the identifier is the x of x.Get, x.Put or x.New.
func receiver(id *ast.Ident, path []ast.Node) bool {
	sel, ok := path[len(path)-1].(*ast.SelectorExpr)
	if !ok || sel.X != id {
		return false
	}
	switch parent := path[len(path)-2].(type) {
	case *ast.CallExpr:
		return parent.Fun == sel
	case *ast.AssignStmt:
		return sel.Sel.Name == "New"
	}
	return false
}

// repeated reports whether the place may be reached several times for one v: a
// loop or a function literal lies between.
func repeated(v *types.Var, path []ast.Node) bool {
	for _, n := range path {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if v.Pos() < n.Pos() {
				return true
			}
		case *ast.FuncLit:
			if v.Pos() < n.Pos() && !deferred(n, path) {
				return true
			}
		}
	}
	return false
}

// deferred reports whether a function literal is called by a defer statement.
func deferred(lit ast.Node, path []ast.Node) bool {
	return slices.ContainsFunc(path, func(n ast.Node) bool {
		d, ok := n.(*ast.DeferStmt)
		return ok && d.Call.Fun == lit
	})
}

func inMain(p *check.Pass, path []ast.Node) bool {
	for _, n := range path {
		if fn, ok := n.(*ast.FuncDecl); ok {
			return p.Pkg.Name() == "main" && fn.Name.Name == "main" && fn.Recv == nil
		}
	}
	return false
}
