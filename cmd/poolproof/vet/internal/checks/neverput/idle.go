package neverput

import (
	"go/ast"
	"go/types"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
)

// idle finds functions that are named as ones which give back what they are given and do nothing with
// it, where a function beside them takes such objects from a pool into which nothing is put.
func idle(p *check.Pass) {
	for _, pool := range p.Events.Pools {
		if len(pool.Puts) > 0 || pool.Var == nil {
			continue
		}
		for _, get := range pool.Gets {
			getter := p.Around(get.Call)
			if getter == nil || p.Events.Test(getter.Pos()) {
				continue
			}
			results := signature(p, getter).Results()
			if results.Len() != 1 || get.Asserted == nil || !types.Identical(results.At(0).Type(), get.Asserted) {
				continue
			}
			for f := range p.Funcs() {
				if !names.IsRelease(f.Name.Name) || !beside(p, f, getter, get.Asserted) || !ignores(p, f) {
					continue
				}
				does := " does nothing, and nothing else puts"
				if len(f.Body.List) > 0 {
					does = " puts nothing, and neither does other code put"
				}
				p.Report(check.Report{
					Pos: f.Name.Pos(), End: f.Name.End(),
					Message: f.Name.Name + does + " into the pool " + pool.Var.Name() + ", from which " + getter.Name.Name + " takes what it returns: the pool has to make a new object each time",
					Remedy:  "put its argument there",
				})
			}
		}
	}
}

// ignores reports whether a function does no more with its parameter than to ask for its length or its
// capacity, or to compare it.
func ignores(p *check.Pass, f *ast.FuncDecl) bool {
	object := signature(p, f).Params().At(0)
	asks := true
	ast.PreorderStack(f.Body, nil, func(n ast.Node, path []ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && p.TypesInfo.Uses[id] == object {
			switch around := path[len(path)-1].(type) {
			case *ast.BinaryExpr:
			case *ast.CallExpr:
				builtin := p.Builtin(around)
				asks = asks && (builtin == "len" || builtin == "cap")
			default:
				asks = false
			}
		}
		return true
	})
	return asks
}

// beside reports whether a function takes an object of a type, and nothing else, and is a method of
// the type that another function is a method of, or neither is one.
func beside(p *check.Pass, f, getter *ast.FuncDecl, object types.Type) bool {
	sig, other := signature(p, f), signature(p, getter)
	if sig.Params().Len() != 1 || !types.Identical(sig.Params().At(0).Type(), object) || (sig.Recv() == nil) != (other.Recv() == nil) {
		return false
	}
	return sig.Recv() == nil || types.Identical(sig.Recv().Type(), other.Recv().Type())
}

func signature(p *check.Pass, f *ast.FuncDecl) *types.Signature {
	return p.TypesInfo.Defs[f.Name].(*types.Func).Signature()
}
