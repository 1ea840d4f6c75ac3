package reuse

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/allocs"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/oracle"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// allocation is something that allocates, and where it stands.
type allocation struct {
	in    *source
	facts []oracle.Fact
	site  Site
	node  ast.Node
	path  []ast.Node // from the file to the node
}

// allocations lists what may allocate at the place of a site: what has its column, or else
// all of the line, the outermost first. A variable that is moved to the heap has the column of its name.
func allocations(pkg *packages.Package, facts []oracle.Fact, s Site) (all []*allocation, why string) {
	i := slices.IndexFunc(pkg.Syntax, func(f *ast.File) bool {
		return pkg.Fset.PositionFor(f.Package, false).Filename == s.File
	})
	switch {
	case strings.HasSuffix(s.File, "_test.go"):
		return nil, "it is in a test file"
	case i < 0:
		return nil, fmt.Sprintf("%s is no file of %s in this build", filepath.Base(s.File), pkg.PkgPath)
	case s.Line < 1 || s.Line > pkg.Fset.File(pkg.Syntax[i].Package).LineCount():
		return nil, fmt.Sprintf("%s has no line %d", filepath.Base(s.File), s.Line)
	}
	file := pkg.Syntax[i]
	exact, nearest := false, 0
	var moved []*allocation
	in := &source{pkg, pkg.TypesInfo, file, &folder{of: pkg}}
	syntax.Inspect(file, func(path []ast.Node) bool {
		n := path[len(path)-1]
		at, _ := allocs.At(pkg.TypesInfo, path)
		if id, ok := n.(*ast.Ident); ok && pkg.TypesInfo.Defs[id] != nil && pkg.Fset.PositionFor(id.Pos(), false).Line == s.Line {
			a := &allocation{in: in, facts: facts, site: s, node: id, path: slices.Clone(path)}
			text, _ := a.fact(id.Pos())
			if c := pkg.Fset.PositionFor(id.Pos(), false).Column; c == s.Column || s.Column == 0 && !at.IsValid() && text == "moved to heap: "+id.Name {
				moved = append(moved, a)
			}
		}
		if !at.IsValid() {
			return true
		}
		p := pkg.Fset.PositionFor(at, false)
		if p.Line != s.Line {
			if fn, _ := functionAround(path); fn != nil && (nearest == 0 || apart(p.Line, s.Line) < apart(nearest, s.Line)) {
				nearest = p.Line
			}
			return true
		}
		same := p.Column == s.Column
		if same && !exact {
			all, exact = nil, true
		}
		if same || !exact {
			all = append(all, &allocation{in: in, facts: facts, site: s, node: n, path: slices.Clone(path)})
		}
		return true
	})
	switch {
	case moved != nil && s.Column != 0 && !exact:
		return moved, ""
	case s.Column == 0 && len(moved)+len(all) > 0:
		return append(moved, all...), ""
	case len(all) > 0:
		return all, ""
	case nearest == 0:
		return nil, "nothing allocates there"
	}
	return nil, fmt.Sprintf("nothing allocates there; the nearest line that may is %d", nearest)
}

// apart is the distance between two lines.
func apart(a, b int) int { return max(a-b, b-a) }

// core is the underlying type of an expression; nil where it has no type.
func core(info *types.Info, e ast.Expr) types.Type {
	if t := info.TypeOf(e); t != nil {
		return t.Underlying()
	}
	return nil
}

// fact returns the compiler's statement on the node: whether it stays in its function. known:
// the compiler says something of it.
func (a *allocation) fact(at token.Pos) (text string, known bool) {
	if a.in.renumbered() {
		return "", false
	}
	p := a.in.pkg.Fset.PositionFor(at, false)
	for _, f := range a.facts {
		if f.Line == p.Line && f.Col == p.Column && f.File == filepath.Base(p.Filename) {
			return f.Text, true
		}
	}
	return "", false
}

// proof is the evidence that the compiler gives for the node; "" if it gives none.
func (a *allocation) proof() Evidence {
	at, _ := allocs.At(a.in.info, a.path)
	if text, known := a.fact(at); known && strings.HasSuffix(text, " does not escape") {
		return Compiler
	}
	return ""
}

// function is the innermost function around the node, with its body.
func (a *allocation) function() (*ast.FuncType, *ast.BlockStmt) { return functionAround(a.path) }

func functionAround(path []ast.Node) (*ast.FuncType, *ast.BlockStmt) {
	for _, n := range slices.Backward(path) {
		switch n := n.(type) {
		case *ast.FuncLit:
			return n.Type, n.Body
		case *ast.FuncDecl:
			return n.Type, n.Body
		}
	}
	return nil, nil
}

// loop is the innermost loop of the node's function around it; nil if there is none.
func loopAround(path []ast.Node) (loop ast.Stmt, body *ast.BlockStmt) {
	for i, n := range slices.Backward(path) {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return nil, nil
		case *ast.ForStmt: // what begins it runs once
			if i+1 < len(path) && path[i+1] == n.Init {
				continue
			}
			return n, n.Body
		case *ast.RangeStmt:
			if i+1 < len(path) && path[i+1] == n.X {
				continue
			}
			return n, n.Body
		}
	}
	return nil, nil
}

// pathTo is the way from a file to the first node of it that passes a test.
func pathTo(file *ast.File, is func(ast.Node) bool) (found []ast.Node) {
	syntax.Inspect(file, func(path []ast.Node) bool {
		if found == nil && is(path[len(path)-1]) {
			found = slices.Clone(path)
		}
		return found == nil
	})
	return found
}

// pathToNode is the way from a file to a node of it.
func pathToNode(file *ast.File, target ast.Node) []ast.Node {
	return pathTo(file, func(n ast.Node) bool { return n == target })
}

// declaration is the way from a file to the name that declares a variable; nil if it is not there.
func declaration(in *source, v *types.Var) []ast.Node {
	return pathTo(in.file, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		return ok && in.info.Defs[id] == v
	})
}

// line is a place as messages have it: FILE:LINE.
func line(fset *token.FileSet, at token.Pos) string {
	p := fset.PositionFor(at, false)
	return fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line)
}

// builtinOf is the name of the builtin function that a call calls; "" if it calls another.
func builtinOf(info *types.Info, n *ast.CallExpr) string {
	if b, ok := typeutil.Callee(info, n).(*types.Builtin); ok {
		return b.Name()
	}
	return ""
}

// calledFunc is the function or method that a call calls; nil where it is called by value.
func calledFunc(info *types.Info, n *ast.CallExpr) *types.Func {
	fn, _ := typeutil.Callee(info, n).(*types.Func)
	return fn
}
