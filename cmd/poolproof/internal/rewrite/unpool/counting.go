package unpool

import (
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// counters are the functions and the fields by which a test counts allocations.
var counters = []string{
	"testing.AllocsPerRun", "(testing.BenchmarkResult).AllocsPerOp", "(testing.BenchmarkResult).AllocedBytesPerOp",
	"runtime.ReadMemStats", "runtime/metrics.Read",
}

// CountsAllocations reports whether a test of the package in a folder counts allocations, itself
// or by functions of the package that it calls.
func (p *Program) CountsAllocations(dir, test string) bool {
	for _, pkg := range p.pkgs {
		if len(pkg.GoFiles) == 0 || filepath.Dir(pkg.GoFiles[0]) != dir {
			continue
		}
		for _, file := range pkg.Syntax {
			for _, d := range file.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == test && strings.HasSuffix(p.at(fn).Filename, "_test.go") {
					return p.counts(pkg, fn, map[*ast.FuncDecl]bool{})
				}
			}
		}
	}
	return false
}

// counts goes through a function and those of its package that it names.
func (p *Program) counts(pkg *packages.Package, fn *ast.FuncDecl, seen map[*ast.FuncDecl]bool) (found bool) {
	if seen[fn] || fn.Body == nil {
		return false
	}
	seen[fn] = true
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || found {
			return !found
		}
		callee, ok := pkg.TypesInfo.Uses[id].(*types.Func)
		if !ok {
			return true
		}
		if slices.Contains(counters, callee.FullName()) {
			found = true
		} else if decl := declOf(pkg, callee); decl != nil && strings.HasSuffix(p.at(decl).Filename, "_test.go") {
			found = p.counts(pkg, decl, seen)
		}
		return !found
	})
	return found
}

// declOf is the declaration of a function of the package.
func declOf(pkg *packages.Package, fn *types.Func) *ast.FuncDecl {
	for _, file := range pkg.Syntax {
		for _, d := range file.Decls {
			if decl, ok := d.(*ast.FuncDecl); ok && pkg.TypesInfo.Defs[decl.Name] == fn.Origin() {
				return decl
			}
		}
	}
	return nil
}
