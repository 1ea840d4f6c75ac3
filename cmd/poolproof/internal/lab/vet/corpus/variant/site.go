package variant

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus/edit"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus/poolcalls"
)

// Site is a function that may be changed.
type Site struct {
	Fset *token.FileSet
	File *ast.File
	Src  []byte // of the file
	Fn   *ast.FuncDecl
	Info *types.Info
	Pkg  *types.Package
	Pool *poolcalls.Index
	N    int // unique in the package: part of the names of what is added
}

// Change says whether a transformation keeps a function's verdict.
type Change struct {
	Edits  []edit.Edit
	Helper *Helper // declarations for a new file; may be nil
	Expect Expect
}

// Expect says what becomes of the verdict. The zero value: it holds.
type Expect struct {
	Silent bool     // nothing is wrong any more
	Wants  []string // one of these codes is right now, anywhere in the function
}

// Helper is code that a change needs beside the function.
type Helper struct {
	Decls   strings.Builder
	imports map[string]string // by path
}

func (h *Helper) printf(format string, args ...any) { fmt.Fprintf(&h.Decls, format, args...) }

func (h *Helper) imported(path, name string) string {
	if h.imports == nil {
		h.imports = make(map[string]string)
	}
	h.imports[path] = name
	return name
}

// typeText writes a type as the source of package pkg would.
func (h *Helper) typeText(t types.Type, pkg *types.Package) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == pkg {
			return ""
		}
		return h.imported(p.Path(), p.Name())
	})
}

// source is the text of a file with the declarations of some helpers.
func source(pkg string, helpers []*Helper) []byte {
	all := make(map[string]string)
	var body strings.Builder
	for _, h := range helpers {
		maps.Copy(all, h.imports)
		body.WriteString(h.Decls.String())
	}
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\n", pkg)
	for _, path := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&b, "import %s %q\n", all[path], path)
	}
	b.WriteString("\n")
	b.WriteString(body.String())
	return []byte(b.String())
}

// Name is the name of the file that s is in.
func (s *Site) Name() string { return filepath.Base(s.Fset.PositionFor(s.Fn.Pos(), false).Filename) }

// Lines are the first and the last line of s.
func (s *Site) Lines() (first, last int) {
	return s.Fset.PositionFor(s.Fn.Pos(), false).Line, s.Fset.PositionFor(s.Fn.End(), false).Line
}

func (s *Site) off(p token.Pos) int { return s.Fset.PositionFor(p, false).Offset }

func (s *Site) text(n ast.Node) string { return string(s.Src[s.off(n.Pos()):s.off(n.End())]) }

func (s *Site) replace(n ast.Node, with string) edit.Edit {
	return edit.Edit{Start: s.off(n.Pos()), End: s.off(n.End()), New: with}
}

func (s *Site) insert(at token.Pos, text string) edit.Edit {
	return edit.Edit{Start: s.off(at), End: s.off(at), New: text}
}

// generic says whether the types in s are parameters.
func (s *Site) generic() bool {
	sig, ok := s.Info.Defs[s.Fn.Name].Type().(*types.Signature)
	return ok && (sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0)
}

// put is a statement that puts an object.
type put struct {
	stmt  ast.Stmt // *ast.ExprStmt or *ast.DeferStmt
	call  *ast.CallExpr
	arg   ast.Expr
	block ast.Node // the block, case or select case that the statement is in
	depth int      // 0: a statement of the function's body
	lit   bool     // in a function literal
}

// deferred says whether the statement is a defer.
func (p put) deferred() bool { _, ok := p.stmt.(*ast.DeferStmt); return ok }

// puts lists the statements of s that put.
func (s *Site) puts() (all []put) {
	var walk func(n ast.Node, depth int, lit bool)
	list := func(block ast.Node, stmts []ast.Stmt, depth int, lit bool) {
		for _, st := range stmts {
			var call *ast.CallExpr
			switch st := st.(type) {
			case *ast.ExprStmt:
				call, _ = st.X.(*ast.CallExpr)
			case *ast.DeferStmt:
				call = st.Call
			}
			if call != nil {
				if arg := s.Pool.PutArg(call, s.Info); arg != nil {
					all = append(all, put{st, call, arg, block, depth, lit})
				}
			}
			walk(st, depth+1, lit)
		}
	}
	walk = func(n ast.Node, depth int, lit bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			switch m := m.(type) {
			case *ast.FuncLit:
				list(m.Body, m.Body.List, depth+1, true)
				return false
			case *ast.BlockStmt:
				list(m, m.List, depth, lit)
				return false
			case *ast.CaseClause:
				list(m, m.Body, depth, lit)
				return false
			case *ast.CommClause:
				list(m, m.Body, depth, lit)
				return false
			}
			return true
		})
	}
	list(s.Fn.Body, s.Fn.Body.List, 0, false)
	return all
}

// uses lists the identifiers in n that stand for obj, but for its declaration.
func (s *Site) uses(n ast.Node, obj types.Object) (all []*ast.Ident) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && s.Info.Uses[id] == obj {
			all = append(all, id)
		}
		return true
	})
	return all
}

// gotHere returns the statement of s that defines obj by a get, if that is the
// only assignment to it.
func (s *Site) gotHere(obj types.Object) *ast.AssignStmt {
	var def *ast.AssignStmt
	again := false
	ast.Inspect(s.Fn.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		for _, l := range a.Lhs {
			id, ok := l.(*ast.Ident)
			switch {
			case !ok:
			case s.Info.Defs[id] == obj && len(a.Lhs) == 1 && s.Pool.IsGet(a.Rhs[0], s.Info):
				def = a
			case s.Info.Defs[id] == obj || s.Info.Uses[id] == obj:
				again = true
			}
		}
		return true
	})
	if again {
		return nil
	}
	return def
}

// poolExpr describes the pool of a call of a method: how a helper gets it.
type poolExpr struct {
	argument, parameter string // how it is passed to a helper; empty if it need not be
	inside              string // how the helper names it
}

// pool looks at the pool of a call of sync.Pool's methods.
func (s *Site) pool(call *ast.CallExpr, h *Helper) (poolExpr, bool) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return poolExpr{}, false
	}
	if s.global(sel.X) {
		return poolExpr{inside: s.text(sel.X)}, true
	}
	argument := s.text(sel.X)
	if !pointer(s.Info.TypeOf(sel.X)) {
		argument = "&" + argument
	}
	name := h.imported("sync", "sync")
	return poolExpr{argument: argument, parameter: "p *" + name + ".Pool", inside: "p"}, true
}

// global says whether e needs nothing of the function.
func (s *Site) global(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		if id, isID := n.(*ast.Ident); isID {
			if v, isVar := s.Info.Uses[id].(*types.Var); isVar && !v.IsField() && v.Parent() != s.Pkg.Scope() {
				ok = false
			}
		}
		if _, isCall := n.(*ast.CallExpr); isCall {
			ok = false
		}
		return ok
	})
	return ok
}

func pointer(t types.Type) bool { _, ok := t.Underlying().(*types.Pointer); return ok }
