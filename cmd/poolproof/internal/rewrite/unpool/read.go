package unpool

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"
)

// reader looks at one node of a file.
type reader struct {
	*finder
	pkg  *packages.Package
	file *ast.File
	path []ast.Node // from the file to the node's parent
}

func (r reader) info() *types.Info { return r.pkg.TypesInfo }

// selector notes X.Get and X.Put of a pool.
func (r reader) selector(sel *ast.SelectorExpr) {
	fn, ok := r.info().Uses[sel.Sel].(*types.Func)
	if !ok {
		return
	}
	k, put, own := useOf(fn)
	s := r.info().Selections[sel]
	if k == nil || !own && s == nil {
		r.other(fn, sel)
		return
	}
	if !own && s.Kind() != types.MethodVal { // (*sync.Pool).Get, whose pool is an argument
		r.expression(sel)
		return
	}
	u := use{kind: k, own: own, pkg: r.pkg, file: r.file, path: slices.Clone(r.path), sel: sel, put: put}
	if call, ok := parentOf(r.path).(*ast.CallExpr); ok && ast.Unparen(call.Fun) == sel {
		u.call, u.path = call, slices.Clone(r.path[:slices.Index(r.path, ast.Node(call))])
	}
	if own {
		u.root = key(k.path)
		r.vars[u.root] = mention{}
		r.uses = append(r.uses, u)
		return
	}
	u.root = r.of(sel, s)
	if u.root == "" {
		u.root = key(fmt.Sprintf("%v", r.at(sel)))
		r.trouble[u.root] = fmt.Sprintf("it is not known which pool %s is", types.ExprString(sel.X))
	}
	if _, known := r.vars[u.root]; !known {
		r.vars[u.root] = mention{}
	}
	r.uses = append(r.uses, u)
}

// of is the key of the pool that a method or a field is of: that of a variable, or of a field that
// is embedded.
func (r reader) of(sel *ast.SelectorExpr, s *types.Selection) key {
	index := s.Index()
	last := len(index) - 1
	if last == 0 {
		return r.root(sel.X)
	}
	k := keyOf(r.fset, embedded(s.Recv(), index[:last]))
	for i := range last {
		if field := embedded(s.Recv(), index[:i+1]); !field.Exported() && field.Pkg() != r.pkg.Types {
			r.hands(k, sel, "a field that only another package can name embeds it, used")
		}
	}
	return k
}

// expression notes that a method expression is called with a pool, or goes somewhere.
func (r reader) expression(sel *ast.SelectorExpr) {
	call, ok := parentOf(r.path).(*ast.CallExpr)
	if !ok || ast.Unparen(call.Fun) != sel || len(call.Args) == 0 {
		return
	}
	if k := r.root(call.Args[0]); k != "" {
		r.hands(k, call, "it is an argument of a method expression")
	}
}

// embedded is the last field of a path of embedded fields.
func embedded(t types.Type, index []int) *types.Var {
	var field *types.Var
	for _, i := range index {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		field = st.Field(i)
		t = field.Type()
	}
	return field
}

// root is the key of the variable, or of the function's result, that an expression
// gets a pool from; "" where that is not known, or where the pool is new.
func (r reader) root(e ast.Expr) key {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := r.info().ObjectOf(e).(*types.Var); ok {
			return keyOf(r.fset, v)
		}
	case *ast.SelectorExpr:
		if v, ok := r.info().ObjectOf(e.Sel).(*types.Var); ok {
			return keyOf(r.fset, v)
		}
	case *ast.IndexExpr:
		return r.root(e.X)
	case *ast.SliceExpr:
		return r.root(e.X)
	case *ast.StarExpr:
		return r.root(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return r.root(e.X)
		}
	case *ast.CallExpr:
		if fn := typeutil.StaticCallee(r.info(), e); fn != nil {
			k := resultKey(fn)
			r.loose[k] = r.loose[k] || fn.Pkg() != nil && !r.has(fn.Pkg().Path())
			return k
		}
	}
	return ""
}

// ident notes where a variable with pools is declared, and follows each mention to
// where the pool goes.
func (r reader) ident(id *ast.Ident) {
	if v, ok := r.info().Defs[id].(*types.Var); ok && holdsPools(v.Type()) {
		k := keyOf(r.fset, v)
		r.vars[k] = mention{r.pkg, id, v, slices.Clone(r.path)}
		if parameter(r.path) {
			r.calledWith(k, id, v)
		} else {
			r.begins(k, id)
		}
		return
	}
	v, ok := r.info().Uses[id].(*types.Var)
	if !ok || !holdsPools(v.Type()) {
		return
	}
	k := keyOf(r.fset, v)
	if _, known := r.vars[k]; !known {
		r.vars[k] = mention{}
	}
	if v.Pkg() != nil && !r.has(v.Pkg().Path()) {
		r.loose[k] = true
	}
	r.mentions[k]++
	r.goes(k, id)
}

// begins follows the value that a variable is declared with.
func (r reader) begins(k key, id *ast.Ident) {
	v := r.info().Defs[id].(*types.Var)
	if spec, ok := r.path[len(r.path)-1].(*ast.ValueSpec); holdsValues(v.Type()) && (v.IsField() || ok && len(spec.Values) == 0) {
		r.bare[k] = true
	}
	switch p := r.path[len(r.path)-1].(type) {
	case *ast.ValueSpec:
		if i := slices.Index(p.Names, id); len(p.Values) == len(p.Names) {
			r.value(k, p.Values[i])
		} else if len(p.Values) > 0 {
			r.value(k, p.Values[0])
		}
	case *ast.AssignStmt:
		for i, l := range p.Lhs {
			if l == id && len(p.Lhs) == len(p.Rhs) {
				r.value(k, p.Rhs[i])
			} else if l == id {
				r.value(k, p.Rhs[0])
			}
		}
	case *ast.RangeStmt:
		if p.Value == id {
			r.join(k, r.root(p.X))
		}
	}
}

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

// interfaced reports whether an expression has an interface type: a pool in it is no
// longer seen as one.
func (r reader) interfaced(e ast.Expr) bool {
	t := r.info().TypeOf(e)
	return t == nil || !holdsPools(t)
}

// hands notes that code which is not followed has the pool.
func (r reader) hands(k key, n ast.Node, what string) {
	at := r.at(n)
	if r.trouble[k] == "" {
		r.trouble[k] = fmt.Sprintf("%s in %s:%d", what, filepath.Base(at.Filename), at.Line)
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
		r.join(k, r.root(a.Lhs[i]))
	}
}

// element follows a pool into a composite literal.
func (r reader) element(k key, lit *ast.CompositeLit, element ast.Node) {
	if lit == nil {
		return
	}
	if v := r.field(lit, element); v != nil {
		if holdsPools(v.Type()) {
			r.join(k, keyOf(r.fset, v))
		} else {
			r.hands(k, element, "it is handed on as an interface")
		}
		return
	}
	if t := r.info().TypeOf(lit); t != nil && holdsPools(t) {
		if owner := r.owner(lit, r.path[:slices.Index(r.path, ast.Node(lit))]); owner != "" {
			r.join(k, owner)
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
		r.join(k, keyOf(r.fset, v))
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
	if fn.Pkg() == nil || !holdsPools(p.Type()) || !r.has(fn.Pkg().Path()) {
		r.hands(k, call, "it is passed to "+fn.Name())
		return
	}
	r.hands(k, call, "it is passed to "+fn.Name()+" of another package")
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

// has reports whether a package is among those that were read.
func (r reader) has(path string) bool {
	return slices.ContainsFunc(r.pkgs, func(p *packages.Package) bool { return p.PkgPath == path })
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
			if own := r.vars[k]; own.ident != nil && !own.v.IsField() && own.ident.Pos() > fn.Body.Pos() && own.ident.End() < fn.Body.End() {
				r.makes[resultKey(obj)] = append(r.makes[resultKey(obj)], k)
				return
			}
			r.join(k, resultKey(obj))
			return
		}
	}
}
