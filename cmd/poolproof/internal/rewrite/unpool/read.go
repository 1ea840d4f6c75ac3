package unpool

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"
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
	u.root = r.root(sel.X)
	if index := s.Index(); len(index) > 1 { // of a pool that is embedded
		if field := embedded(s.Recv(), index[:len(index)-1]); field != nil {
			u.root = keyOf(r.fset, field)
			if _, known := r.vars[u.root]; !known {
				r.vars[u.root] = mention{}
			}
		}
	}
	if u.root == "" {
		u.root = key(fmt.Sprintf("%v", r.at(sel)))
		r.trouble[u.root] = fmt.Sprintf("it is not known which pool %s is", types.ExprString(sel.X))
	}
	if _, known := r.vars[u.root]; !known {
		r.vars[u.root] = mention{}
	}
	r.uses = append(r.uses, u)
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
		if fn := r.callee(e); fn != nil {
			return resultKey(fn)
		}
	}
	return ""
}

// callee is the function that a call names, if it is one of the program with a body.
func (r reader) callee(call *ast.CallExpr) *types.Func {
	var id *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	case *ast.IndexExpr: // of a generic function
		id, _ = ast.Unparen(fun.X).(*ast.Ident)
	}
	if id == nil {
		return nil
	}
	fn, ok := r.info().Uses[id].(*types.Func)
	if !ok || types.IsInterface(recvOf(fn)) {
		return nil
	}
	return fn
}

func recvOf(fn *types.Func) types.Type {
	if recv := fn.Signature().Recv(); recv != nil {
		return recv.Type()
	}
	return types.Typ[types.Invalid]
}

// ident notes where a variable with pools is declared, and follows each mention to
// where the pool goes.
func (r reader) ident(id *ast.Ident) {
	if v, ok := r.info().Defs[id].(*types.Var); ok && holdsPools(v.Type()) {
		k := keyOf(r.fset, v)
		r.vars[k] = mention{r.pkg, id, v, slices.Clone(r.path)}
		r.begins(k, id)
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
	r.mentions[k]++
	r.goes(k, id)
}

// begins follows the value that a variable is declared with.
func (r reader) begins(k key, id *ast.Ident) {
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

// value notes that a variable holds what an expression gives.
func (r reader) value(k key, e ast.Expr) {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		if fn := r.callee(call); fn != nil {
			r.makes[k] = append(r.makes[k], resultKey(fn))
			return
		}
		for _, arg := range call.Args { // append(pools, p)
			if t := r.info().TypeOf(arg); t != nil && holdsPools(t) {
				r.join(k, r.root(arg))
			}
		}
		return
	}
	r.join(k, r.root(e))
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
		case *ast.RangeStmt, *ast.BinaryExpr, *ast.Field, *ast.IncDecStmt, *ast.ExprStmt, *ast.CaseClause, *ast.SwitchStmt:
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
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok { // called where it stands
		if v := parameterAt(lit, i, r.info()); v != nil {
			r.join(k, keyOf(r.fset, v))
			return
		}
	}
	fn := r.callee(call)
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
	if fn.Pkg() != r.pkg.Types {
		r.hands(k, call, "it is passed to "+fn.Name()+" of another package")
		return
	}
	r.join(k, keyOf(r.fset, p))
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
