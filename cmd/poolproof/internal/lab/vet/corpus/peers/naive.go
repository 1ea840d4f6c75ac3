package peers

import (
	"context"
	"go/ast"
	"go/types"
	"os"
	"path/filepath"

	"golang.org/x/tools/go/packages"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus/poolcalls"
)

// Naive is the rule that style guides give: a function that calls Get of a
// sync.Pool defers a Put. It is here to be measured.
func Naive(ctx context.Context, dir string) ([]corpus.Report, error) {
	pkgs, err := packages.Load(&packages.Config{
		Context: ctx,
		Mode:    packages.LoadSyntax,
		Dir:     dir,
		Env:     append(os.Environ(), "GOWORK=off"),
	}, "./...")
	if err != nil {
		return nil, err
	}
	var reports []corpus.Report
	for _, p := range pkgs {
		for _, f := range p.Syntax {
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Body == nil {
					continue
				}
				get, deferred := naive(fn.Body, p.TypesInfo)
				if get == nil || deferred {
					continue
				}
				at := p.Fset.Position(get.Pos())
				rel, err := filepath.Rel(dir, at.Filename)
				if err != nil {
					return nil, err
				}
				reports = append(reports, corpus.Report{
					File: filepath.ToSlash(rel), Line: at.Line, Col: at.Column,
					Code: "PV005", Tier: "error", Message: "Get without a deferred Put",
				})
			}
		}
	}
	return reports, nil
}

// naive returns the first Get of a body, and whether a Put is deferred in it.
func naive(body *ast.BlockStmt, info *types.Info) (get *ast.CallExpr, deferred bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if get == nil && poolcalls.Callee(n, info) == poolcalls.PoolGet {
				get = n
			}
		case *ast.DeferStmt:
			ast.Inspect(n, func(n ast.Node) bool {
				if c, ok := n.(*ast.CallExpr); ok && poolcalls.Callee(c, info) == poolcalls.PoolPut {
					deferred = true
				}
				return true
			})
		}
		return true
	})
	return get, deferred
}
