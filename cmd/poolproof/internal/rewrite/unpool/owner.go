package unpool

import (
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

func (r reader) info() *types.Info { return r.pkg.TypesInfo }

// key is that of a variable.
func (r reader) key(v *types.Var) key { return keyOf(r.p.fset, v) }

// owner is the key of what a literal is the value of, through sets of pools and &; "" where
// that is of no type that holds pools.
func (r reader) owner(lit ast.Node, path []ast.Node) key {
	child := lit
	for i, n := range slices.Backward(path) {
		switch p := n.(type) {
		case *ast.UnaryExpr, *ast.StarExpr, *ast.ParenExpr, *ast.KeyValueExpr:
			child = p
		case *ast.CompositeLit:
			if v := syntax.Field(r.info(), p, child); v != nil {
				return r.keyIf(v)
			}
			if t := r.info().TypeOf(p); t == nil || !holdsPools(t) {
				return ""
			}
			child = p
		case *ast.ValueSpec:
			if j := slices.IndexFunc(p.Values, func(e ast.Expr) bool { return e == child }); j >= 0 && j < len(p.Names) {
				if v, ok := r.info().Defs[p.Names[j]].(*types.Var); ok {
					return r.keyIf(v)
				}
			}
			return ""
		case *ast.AssignStmt:
			if j := slices.IndexFunc(p.Rhs, func(e ast.Expr) bool { return e == child }); j >= 0 && len(p.Lhs) == len(p.Rhs) && !r.interfaced(p.Lhs[j]) {
				return r.root(p.Lhs[j])
			}
			return ""
		case *ast.CallExpr:
			if !r.makesValue(p) {
				if v := r.receives(p, child); v != nil {
					return r.key(v)
				}
				return ""
			}
			child = p // append(pools, &sync.Pool{...})
		case *ast.ReturnStmt:
			for _, fn := range slices.Backward(path[:i]) {
				switch fn := fn.(type) {
				case *ast.FuncLit:
					return ""
				case *ast.FuncDecl:
					if obj, ok := r.info().Defs[fn.Name].(*types.Func); ok && several(obj.Signature().Results()) {
						return resultKey(obj)
					}
				}
			}
			return ""
		default:
			return ""
		}
	}
	return ""
}

// keyIf is the key of a variable that holds pools.
func (r reader) keyIf(v *types.Var) key {
	if !holdsPools(v.Type()) {
		return ""
	}
	return r.key(v)
}

// root is the key of the variable, or of the function's result, that an expression
// gets a pool from; "" where that is not known, or where the pool is new.
func (r reader) root(e ast.Expr) key {
	if v := syntax.Variable(r.info(), e); v != nil {
		return r.key(v)
	}
	call, ok := syntax.Whole(e).(*ast.CallExpr)
	if !ok {
		return ""
	}
	fn := typeutil.StaticCallee(r.info(), call)
	if fn == nil {
		return ""
	}
	k := resultKey(fn)
	f := r.notes.of(k)
	f.loose = f.loose || fn.Pkg() != nil && !r.p.has(fn.Pkg().Path())
	return k
}

// of is the key of the pool that a method or a field is of: that of a variable, or of a field that
// is embedded.
func (r reader) of(sel *ast.SelectorExpr, s *types.Selection) key {
	index := s.Index()
	last := len(index) - 1
	if last == 0 {
		return r.root(sel.X)
	}
	k := r.key(embedded(s.Recv(), index[:last]))
	for i := range last {
		if field := embedded(s.Recv(), index[:i+1]); !field.Exported() && field.Pkg() != r.pkg.Types {
			r.hands(k, sel, "a field that only another package can name embeds it, used")
		}
	}
	return k
}

// receives is the parameter for pools that gets an argument of a call, in the package of the call;
// nil: there is none.
func (r reader) receives(call *ast.CallExpr, arg ast.Node) *types.Var {
	i := slices.IndexFunc(call.Args, func(e ast.Expr) bool { return e == arg })
	if i < 0 {
		return nil
	}
	var v *types.Var
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok { // called where it stands
		v = parameterAt(lit, i, r.info())
	} else if fn := typeutil.StaticCallee(r.info(), call); fn != nil && fn.Pkg() == r.pkg.Types {
		if params := fn.Origin().Signature().Params(); params.Len() > 0 {
			v = params.At(min(i, params.Len()-1))
		}
	}
	if v == nil || !holdsPools(v.Type()) {
		return nil
	}
	return v
}

// parameterAt is the i-th parameter of a function literal; nil: it has no name, or there are more
// arguments.
func parameterAt(lit *ast.FuncLit, i int, info *types.Info) *types.Var {
	for _, field := range lit.Type.Params.List {
		if i < len(field.Names) {
			v, _ := info.Defs[field.Names[i]].(*types.Var)
			return v
		}
		i -= max(1, len(field.Names))
	}
	return nil
}

// interfaced reports whether an expression has an interface type: a pool in it is no
// longer seen as one.
func (r reader) interfaced(e ast.Expr) bool {
	t := r.info().TypeOf(e)
	return t == nil || !holdsPools(t)
}

// makesValue reports whether a call is a conversion, or one of a builtin function.
func (r reader) makesValue(call *ast.CallExpr) bool {
	tv := r.info().Types[ast.Unparen(call.Fun)]
	return tv.IsType() || tv.IsBuiltin()
}

// hands notes that code which is not followed has the pool.
func (r reader) hands(k key, n ast.Node, what string) {
	at := r.p.at(n)
	r.notes.doubt(k, fmt.Sprintf("%s in %s:%d", what, filepath.Base(at.Filename), at.Line))
}
