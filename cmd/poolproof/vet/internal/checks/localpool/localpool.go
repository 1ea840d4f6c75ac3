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
		v := pool.Var
		if v == nil || !made[v] || p.Events.Test(v.Pos()) { // tests make pools to look at them
			continue
		}
		if u := uses[v]; u == nil || u.kept || u.repeated {
			continue
		}
		p.Report(check.Report{
			Pos:     v.Pos(),
			Message: fmt.Sprintf("the pool %s is made in each call and used once: it is always empty and only costs time", v.Name()),
			Remedy:  "make it a package variable, or a field of a value that lives longer",
		})
	}
}

// use describes the uses of a local pool.
type use struct {
	kept     bool // it is more than the receiver of its methods: it may live on
	repeated bool // a get is in a loop that began after the pool was made, or in a function literal
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
