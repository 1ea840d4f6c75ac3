package attribute

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// grows reports whether a function, the innermost one outside of the runtime,
// is where a bytes.Buffer or strings.Builder gets more memory.
func grows(function string) bool {
	switch profile.PackageOf(function) {
	case "bytes":
		return isMethod(function, "Buffer") || profile.NameOf(function) == "growSlice"
	case "strings":
		return isMethod(function, "Builder")
	}
	return false
}

// isMethod reports whether a function is a method with a pointer receiver of
// that name.
func isMethod(function, receiver string) bool {
	return strings.HasPrefix(profile.NameOf(function), "(*"+receiver+").")
}

// buffer is a local variable that is, or points to, a bytes.Buffer or
// strings.Builder.
type buffer struct {
	at     token.Position
	expr   string
	pooled bool // it comes from a Get
}

// buffer finds the local buffer that grows in a call on a line: the call's
// receiver or an argument of it, or the only buffer of the function where what
// is called may hold it. ok is false where the buffer comes from elsewhere, as by
// a parameter.
func (f *source) buffer(line int) (b buffer, ok bool) {
	fn := f.enclosing(line)
	if fn == nil || fn.Body == nil {
		return buffer{}, false
	}
	var used []*types.Var
	for _, c := range f.calls(line) {
		ast.Inspect(c, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if v := f.local(id, fn); v != nil && !slices.Contains(used, v) {
					used = append(used, v)
				}
			}
			return true
		})
	}
	if len(used) == 0 {
		named := false // a parameter or a field may be meant
		for _, c := range f.calls(line) {
			ast.Inspect(c, func(n ast.Node) bool {
				if e, ok := n.(ast.Expr); ok && syntax.Buffer(f.info.TypeOf(e)) != "" {
					named = true
				}
				return true
			})
		}
		if named {
			return buffer{}, false
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && f.info.Defs[id] != nil {
				if v := f.local(id, fn); v != nil && !slices.Contains(used, v) {
					used = append(used, v)
				}
			}
			return true
		})
	}
	if len(used) != 1 {
		return buffer{}, false
	}
	v := used[0]
	return buffer{f.fset.Position(v.Pos()), v.Name() + " " + types.TypeString(v.Type(), func(p *types.Package) string { return p.Name() }), f.pooled(v, fn)}, true
}

// local returns the buffer that an identifier names, if it is declared in the
// body of the function.
func (f *source) local(id *ast.Ident, fn *ast.FuncDecl) *types.Var {
	v, ok := f.info.ObjectOf(id).(*types.Var)
	if !ok || v.IsField() || v.Pos() < fn.Body.Pos() || v.Pos() > fn.Body.End() || syntax.Buffer(v.Type()) == "" || f.parameter(v, fn) {
		return nil
	}
	return v
}

// parameter reports whether a variable is a parameter of a function literal.
func (f *source) parameter(v *types.Var, fn *ast.FuncDecl) (is bool) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok && lit.Type.Pos() <= v.Pos() && v.Pos() < lit.Body.Pos() {
			is = true
		}
		return !is
	})
	return is
}

// pooled reports whether a variable is declared with what a Get returns.
func (f *source) pooled(v *types.Var, fn *ast.FuncDecl) (is bool) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Rhs) != 1 {
			return true
		}
		for _, left := range a.Lhs {
			if id, ok := left.(*ast.Ident); !ok || f.info.Defs[id] != v {
				continue
			}
			ast.Inspect(a.Rhs[0], func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "Get" {
					is = true
				}
				return !is
			})
		}
		return true
	})
	return is
}
