package neverput

import (
	"go/ast"
	"go/types"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
)

// empty finds functions that are named as ones which give back what they are given and do nothing,
// where a function beside them takes such objects from a pool into which nothing is put.
func empty(p *check.Pass) {
	for _, pool := range p.Events.Pools {
		if len(pool.Puts) > 0 || pool.Var == nil {
			continue
		}
		for _, get := range pool.Gets {
			getter := p.Around(get.Call)
			if getter == nil || p.Events.Test(getter.Pos()) {
				continue
			}
			object := returns(p, getter, get.Call)
			for f := range p.Funcs() {
				if object == nil || len(f.Body.List) > 0 || !names.IsRelease(f.Name.Name) || !beside(p, f, getter, object) {
					continue
				}
				p.Report(check.Report{
					Pos: f.Name.Pos(), End: f.Name.End(),
					Message: f.Name.Name + " does nothing, and nothing else puts into the pool " + pool.Var.Name() + ", from which " + getter.Name.Name + " takes what it returns: the pool has to make a new object each time",
				})
			}
		}
	}
}

// returns gives the type of the only result of a function that returns what a call got, else nil.
func returns(p *check.Pass, f *ast.FuncDecl, get *ast.CallExpr) (t types.Type) {
	results := signature(p, f).Results()
	ast.Inspect(f.Body, func(n ast.Node) bool {
		ret, ok := n.(*ast.ReturnStmt)
		if ok && len(ret.Results) == 1 && results.Len() == 1 {
			v := ast.Unparen(ret.Results[0])
			if assert, ok := v.(*ast.TypeAssertExpr); ok && ast.Unparen(assert.X) == ast.Expr(get) {
				t = results.At(0).Type()
			}
		}
		return t == nil
	})
	return t
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
