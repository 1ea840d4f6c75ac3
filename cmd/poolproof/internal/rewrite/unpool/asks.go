package unpool

import (
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// counters are the functions and the fields by which a test counts allocations.
var counters = []string{
	"testing.AllocsPerRun", "(testing.BenchmarkResult).AllocsPerOp", "(testing.BenchmarkResult).AllocedBytesPerOp",
	"runtime.ReadMemStats", "runtime/metrics.Read",
}

// AsksPool reports whether a test of the package in a folder is about a pool and not about what
// the program does with its objects: it counts allocations, or gets or puts by itself. It may do so
// by functions of its test files.
func (p *Program) AsksPool(pool *Pool, dir, test string) bool {
	about := append(p.handlers(pool), counters...)
	for _, pkg := range p.pkgs {
		if len(pkg.GoFiles) == 0 || filepath.Dir(pkg.GoFiles[0]) != dir {
			continue
		}
		for _, file := range pkg.Syntax {
			for _, d := range file.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == test && strings.HasSuffix(p.at(fn).Filename, "_test.go") {
					return p.calls(pkg, fn, about, map[*ast.FuncDecl]bool{})
				}
			}
		}
	}
	return false
}

// handlers are the functions that only get from a pool or only put into it, and so hand its
// objects on, and the pool's own methods where a test calls them.
func (p *Program) handlers(pool *Pool) (names []string) {
	gets, puts := map[string]bool{}, map[string]bool{}
	for _, u := range pool.uses {
		for _, n := range u.path {
			fn, ok := n.(*ast.FuncDecl)
			if !ok {
				continue
			}
			obj, ok := u.pkg.TypesInfo.Defs[fn.Name].(*types.Func)
			switch {
			case !ok:
			case strings.HasSuffix(p.at(fn).Filename, "_test.go"):
				names = append(names, obj.FullName()) // it is a test, or one calls it
			case u.put:
				puts[obj.FullName()] = true
			default:
				gets[obj.FullName()] = true
			}
		}
	}
	for _, of := range [][2]map[string]bool{{gets, puts}, {puts, gets}} {
		for name := range of[0] {
			if !of[1][name] {
				names = append(names, name)
			}
		}
	}
	return names
}

// calls goes through a function and those of its package's test files that it names, for one
// that names one of some functions, or is one of them.
func (p *Program) calls(pkg *packages.Package, fn *ast.FuncDecl, about []string, seen map[*ast.FuncDecl]bool) bool {
	if seen[fn] || fn.Body == nil {
		return false
	}
	seen[fn] = true
	if obj, ok := pkg.TypesInfo.Defs[fn.Name].(*types.Func); ok && slices.Contains(about, obj.FullName()) {
		return true
	}
	for n := range ast.Preorder(fn.Body) {
		id, _ := n.(*ast.Ident)
		callee, ok := pkg.TypesInfo.Uses[id].(*types.Func)
		if !ok {
			continue
		}
		if slices.Contains(about, callee.Origin().FullName()) {
			return true
		}
		decl := syntax.Declaration(pkg.TypesInfo, pkg.Syntax, callee)
		if decl != nil && strings.HasSuffix(p.at(decl).Filename, "_test.go") && p.calls(pkg, decl, about, seen) {
			return true
		}
	}
	return false
}
