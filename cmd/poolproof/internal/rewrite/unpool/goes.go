package unpool

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// goes follows a mention of a variable to where its pools go.
func (r reader) goes(k key, id *ast.Ident) {
	var child ast.Node = id
	for i, n := range slices.Backward(r.path) {
		switch p := n.(type) {
		case *ast.SelectorExpr:
			if p.X == child {
				return // p.Get, p.Put, p.New; or another field of what holds it
			}
			child = p
		case *ast.IndexExpr:
			if p.Index == child {
				r.hands(k, p, "it is a key of a map")
				return
			}
			child = p
		case *ast.ParenExpr, *ast.StarExpr, *ast.SliceExpr:
			child = p
		case *ast.UnaryExpr:
			if p.Op != token.AND {
				return
			}
			child = p
		case *ast.AssignStmt:
			r.assigned(k, p, child)
			return
		case *ast.ValueSpec:
			if j := slices.IndexFunc(p.Values, func(e ast.Expr) bool { return e == child }); j >= 0 && j < len(p.Names) && r.interfaced(p.Names[j]) {
				r.hands(k, p, "it is handed on as an interface")
			}
			return // else its names are declarations, which begin as this
		case *ast.RangeStmt:
			if p.Value == child {
				r.value(k, p.X)
			}
			return
		case *ast.BinaryExpr, *ast.Field, *ast.IncDecStmt, *ast.ExprStmt, *ast.CaseClause, *ast.SwitchStmt:
			return
		case *ast.KeyValueExpr:
			if p.Key == child {
				return
			}
			lit, _ := r.path[i-1].(*ast.CompositeLit)
			r.element(k, lit, p)
			return
		case *ast.CompositeLit:
			r.element(k, p, child)
			return
		case *ast.CallExpr:
			r.argument(k, p, child)
			return
		case *ast.ReturnStmt:
			r.returned(k, i, p)
			return
		default:
			r.hands(k, p, "it leaves its variable")
			return
		}
	}
}

// assigned follows a pool through an assignment.
func (r reader) assigned(k key, a *ast.AssignStmt, child ast.Node) {
	for i, l := range a.Lhs {
		if l == child {
			if len(a.Lhs) == len(a.Rhs) {
				r.value(k, a.Rhs[i])
			} else {
				r.value(k, a.Rhs[0])
			}
			return
		}
	}
	for i, e := range a.Rhs {
		if e != child {
			continue
		}
		if len(a.Lhs) != len(a.Rhs) { // p, ok := m[k]
			i = 0
		}
		if id, ok := a.Lhs[i].(*ast.Ident); ok && id.Name == "_" {
			return
		}
		if r.interfaced(a.Lhs[i]) {
			r.hands(k, a, "it is handed on as an interface")
			return
		}
		r.notes.join(k, r.root(a.Lhs[i]))
	}
}

// element follows a pool into a composite literal.
func (r reader) element(k key, lit *ast.CompositeLit, element ast.Node) {
	if lit == nil {
		return
	}
	if v := syntax.Field(r.info(), lit, element); v != nil {
		if holdsPools(v.Type()) {
			r.notes.join(k, r.key(v))
		} else {
			r.hands(k, element, "it is handed on as an interface")
		}
		return
	}
	if t := r.info().TypeOf(lit); t != nil && holdsPools(t) {
		if owner := r.owner(lit, r.path[:slices.Index(r.path, ast.Node(lit))]); owner != "" {
			r.notes.join(k, owner)
			return
		}
	}
	r.hands(k, element, "it is an element of a set that is not followed,")
}

// argument follows a pool into a call.
func (r reader) argument(k key, call *ast.CallExpr, child ast.Node) {
	i := slices.IndexFunc(call.Args, func(e ast.Expr) bool { return e == child })
	if i < 0 {
		return
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if _, builtin := r.info().Uses[id].(*types.Builtin); builtin {
			return // len, cap, clear, delete; append is followed where its result goes
		}
	}
	if tv := r.info().Types[call.Fun]; tv.IsType() {
		if holdsPools(tv.Type) {
			return
		}
		r.hands(k, call, "it is converted")
		return
	}
	if v := r.receives(call, child); v != nil {
		r.notes.join(k, r.key(v))
		return
	}
	fn := typeutil.StaticCallee(r.info(), call)
	if fn == nil {
		r.hands(k, call, "it is passed to a function value or an interface")
		return
	}
	params := fn.Origin().Signature().Params()
	if params.Len() == 0 { // a method expression, whose receiver is an argument
		r.hands(k, call, "it is an argument of a method expression")
		return
	}
	if i >= params.Len() {
		i = params.Len() - 1
	}
	p := params.At(i)
	if fn.Pkg() == nil || !holdsPools(p.Type()) || !r.p.has(fn.Pkg().Path()) {
		r.hands(k, call, "it is passed to "+fn.Name())
		return
	}
	r.hands(k, call, "it is passed to "+fn.Name()+" of another package")
}

// returned follows a pool out of a function. One that the function has made in a
// variable of its own is new for each call.
func (r reader) returned(k key, i int, ret *ast.ReturnStmt) {
	for _, n := range slices.Backward(r.path[:i]) {
		switch fn := n.(type) {
		case *ast.FuncLit:
			r.hands(k, ret, "a function literal returns it")
			return
		case *ast.FuncDecl:
			obj, ok := r.info().Defs[fn.Name].(*types.Func)
			if !ok {
				return
			}
			if own := r.notes.of(k).decl; own.ident != nil && !own.v.IsField() && own.ident.Pos() > fn.Body.Pos() && own.ident.End() < fn.Body.End() {
				r.notes.makes(resultKey(obj), k)
				return
			}
			r.notes.join(k, resultKey(obj))
			return
		}
	}
}
