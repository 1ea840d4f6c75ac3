package pooldecl

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// Of reads the package that pass analyses.
func Of(pass *analysis.Pass) Decls {
	r := reader{
		info: pass.TypesInfo, decls: Decls{}, bodies: map[*types.Func]*ast.BlockStmt{},
		makers: MakersOf(pass.TypesInfo, pass.Files),
	}
	for _, f := range pass.Files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				if obj, ok := r.info.Defs[fn.Name].(*types.Func); ok {
					r.bodies[obj] = fn.Body
				}
			}
		}
	}
	for _, f := range pass.Files {
		r.file(f)
	}
	return r.decls
}

// reader goes through the files of a package.
type reader struct {
	info   *types.Info
	decls  Decls
	bodies map[*types.Func]*ast.BlockStmt
	makers Makers
}

func (r *reader) decl(v *types.Var) *Decl {
	v = v.Origin()
	d, ok := r.decls[v]
	if !ok {
		d = &Decl{Var: v, Shared: v.Exported()}
		r.decls[v] = d
	}
	return d
}

func (r *reader) file(f *ast.File) {
	var path []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		switch n := n.(type) {
		case *ast.Ident:
			r.ident(n, path)
		case *ast.CompositeLit:
			if t := r.info.TypeOf(n); t != nil && IsPool(t) {
				r.literal(n, n, path)
			}
			r.elements(n, path)
		case *ast.CallExpr:
			if lit, ok := r.makers.made(r.info, n); ok {
				r.literal(lit, n, path)
			}
		case *ast.AssignStmt:
			r.assign(n)
		}
		path = append(path, n)
		return true
	})
}

// ident notes a declaration of a pool, or a use that is more than a call of
// its methods.
func (r *reader) ident(id *ast.Ident, path []ast.Node) {
	if v, ok := r.info.Defs[id].(*types.Var); ok && HoldsPools(v.Type()) {
		d := r.decl(v)
		d.Shared = d.Shared || parameter(path) || r.elsewhere(id, path)
		return
	}
	v, ok := r.info.Uses[id].(*types.Var)
	if ok && HoldsPools(v.Type()) && !r.harmless(id, path) {
		r.decl(v).Shared = true
	}
}

// parameter reports whether a declared name is one of a function.
func parameter(path []ast.Node) bool {
	for i := len(path) - 1; i > 0; i-- {
		switch path[i].(type) {
		case *ast.FuncType:
			return true
		case *ast.StructType, ast.Stmt, *ast.ValueSpec:
			return false
		case *ast.FuncDecl:
			return true // the receiver
		}
	}
	return false
}

// elsewhere reports whether a declared name begins as what something else than a literal
// makes: a function that may set New.
func (r *reader) elsewhere(id *ast.Ident, path []ast.Node) bool {
	spec, ok := path[len(path)-1].(*ast.ValueSpec)
	if !ok || len(spec.Values) == 0 {
		return false
	}
	i := slices.Index(spec.Names, id)
	return i >= len(spec.Values) || !r.isMade(spec.Values[i])
}

// harmless reports whether a use of a pool, or of a set of them, cannot set
// its New: it is the receiver of a call, the New of it is named, it is the left side
// of an assignment, or the key of a literal.
func (r *reader) harmless(id *ast.Ident, path []ast.Node) bool {
	var child ast.Node = id
	for i := len(path) - 1; i >= 0; i-- {
		switch p := path[i].(type) {
		case *ast.SelectorExpr:
			if p.X == child {
				return true // p.Get, p.Put, p.New; of a struct that holds it, another field
			}
			child = p // x.pool
		case *ast.IndexExpr:
			if p.Index == child {
				return true
			}
			child = p
		case *ast.ParenExpr, *ast.StarExpr:
			child = p
		case *ast.UnaryExpr:
			if p.Op != token.AND {
				return true
			}
			child = p
		case *ast.AssignStmt:
			for _, l := range p.Lhs {
				if l == child {
					return true
				}
			}
			return false
		case *ast.KeyValueExpr:
			return p.Key == child
		case *ast.RangeStmt:
			return p.Value == nil
		case *ast.BinaryExpr: // compared, as with nil
			return true
		case *ast.CallExpr: // of len and cap
			fn, ok := p.Fun.(*ast.Ident)
			_, builtin := r.info.Uses[fn].(*types.Builtin)
			return ok && builtin && fn.Name != "append"
		case *ast.Field, *ast.ValueSpec: // a field that is embedded; an initial value
			_, isField := p.(*ast.Field)
			return isField
		default:
			return false
		}
	}
	return false
}

// literal notes a literal of a pool with the variable or field that its place is for: its own
// place, or that of a call which makes it.
func (r *reader) literal(lit *ast.CompositeLit, at ast.Node, path []ast.Node) {
	v := r.owner(at, path)
	if v == nil {
		return
	}
	d := r.decl(v)
	if lit == nil {
		return // new(sync.Pool)
	}
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "New" {
			d.News = append(d.News, r.function(kv.Value))
		}
	}
}

// elements notes the pools that fields of a struct literal, or elements of a set of pools, get
// from elsewhere.
func (r *reader) elements(lit *ast.CompositeLit, path []ast.Node) {
	t := r.info.TypeOf(lit)
	isSet := t != nil && HoldsPools(t) && !IsPool(t)
	for _, e := range lit.Elts {
		value := e
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			value = kv.Value
		}
		if r.isMade(value) {
			continue
		}
		v := r.field(lit, e)
		if isSet {
			v = r.owner(lit, path)
		}
		if v != nil && HoldsPools(v.Type()) {
			r.decl(v).Shared = true
		}
	}
}

// owner finds what a literal is assigned to, through sets of pools and &.
func (r *reader) owner(lit ast.Node, path []ast.Node) *types.Var {
	child := lit
	for i := len(path) - 1; i >= 0; i-- {
		switch p := path[i].(type) {
		case *ast.UnaryExpr, *ast.ParenExpr:
			child = p
		case *ast.CompositeLit:
			if v := r.field(p, child); v != nil {
				return v
			}
			if t := r.info.TypeOf(p); t == nil || !HoldsPools(t) {
				return nil
			}
			child = p
		case *ast.KeyValueExpr:
			child = p
		case *ast.ValueSpec:
			for j, value := range p.Values {
				if value == child && j < len(p.Names) {
					v, _ := r.info.Defs[p.Names[j]].(*types.Var)
					return v
				}
			}
			return nil
		case *ast.AssignStmt:
			for j, value := range p.Rhs {
				if value == child && len(p.Lhs) == len(p.Rhs) {
					return r.target(p.Lhs[j])
				}
			}
			return nil
		default:
			return nil
		}
	}
	return nil
}

// field is the field of a struct literal that an element of it is for.
func (r *reader) field(lit *ast.CompositeLit, element ast.Node) *types.Var {
	t := r.info.TypeOf(lit)
	if t == nil {
		return nil
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	if kv, ok := element.(*ast.KeyValueExpr); ok {
		key, ok := kv.Key.(*ast.Ident)
		if !ok {
			return nil
		}
		v, _ := r.info.Uses[key].(*types.Var)
		return v
	}
	for i, e := range lit.Elts {
		if e == element && i < s.NumFields() {
			return s.Field(i).Origin()
		}
	}
	return nil
}

// target is the variable or field that an expression on the left names.
func (r *reader) target(e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := r.info.Defs[e].(*types.Var); ok {
			return v
		}
		v, _ := r.info.Uses[e].(*types.Var)
		return v
	case *ast.SelectorExpr:
		v, _ := r.info.Uses[e.Sel].(*types.Var)
		if v != nil {
			v = v.Origin()
		}
		return v
	case *ast.IndexExpr:
		return r.target(e.X)
	case *ast.StarExpr:
		return r.target(e.X)
	}
	return nil
}

// assign notes p.New = f, and a pool that comes from elsewhere.
func (r *reader) assign(a *ast.AssignStmt) {
	for i, l := range a.Lhs {
		if sel, ok := ast.Unparen(l).(*ast.SelectorExpr); ok && sel.Sel.Name == "New" && IsPool(typeOr(r.info.TypeOf(sel.X))) {
			if v := r.target(sel.X); v != nil && len(a.Lhs) == len(a.Rhs) {
				r.decl(v).News = append(r.decl(v).News, r.function(a.Rhs[i]))
			} else if v != nil {
				r.decl(v).Shared = true
			}
			continue
		}
		t := r.info.TypeOf(l)
		if t == nil || !HoldsPools(t) {
			continue
		}
		v := r.target(l)
		if v == nil {
			continue
		}
		if len(a.Lhs) != len(a.Rhs) || !r.isMade(a.Rhs[i]) {
			r.decl(v).Shared = true
		}
	}
}

func typeOr(t types.Type) types.Type {
	if t == nil {
		return types.Typ[types.Invalid]
	}
	return t
}

// isMade reports whether e is a literal, or a call of a maker.
func (r *reader) isMade(e ast.Expr) bool {
	_, ok := r.makers.made(r.info, e)
	return ok || isLiteral(e)
}

// isLiteral reports whether e is a literal, or its address, or an empty set.
func isLiteral(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.UnaryExpr:
		return e.Op == token.AND && isLiteral(e.X)
	case *ast.CallExpr:
		fn, ok := e.Fun.(*ast.Ident)
		return ok && (fn.Name == "new" || fn.Name == "make")
	}
	return false
}

// function reads what a New function returns.
func (r *reader) function(e ast.Expr) New {
	n := New{Pos: e.Pos()}
	var body *ast.BlockStmt
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		body = e.Body
	case *ast.Ident:
		if fn, ok := r.info.Uses[e].(*types.Func); ok {
			body = r.bodies[fn]
		}
	case *ast.SelectorExpr:
		if fn, ok := r.info.Uses[e.Sel].(*types.Func); ok {
			body = r.bodies[fn.Origin()]
		}
	}
	if body == nil {
		return n
	}
	n.Returns = []Return{}
	ast.Inspect(body, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(node.Results) == 1 {
				n.Returns = append(n.Returns, r.returned(node.Results[0]))
			}
		}
		return true
	})
	return n
}

func (r *reader) returned(e ast.Expr) Return {
	tv := r.info.Types[e]
	ret := Return{Pos: e.Pos(), Nil: tv.IsNil()}
	if tv.Type != nil && !tv.IsNil() && !types.IsInterface(tv.Type) {
		ret.Type = tv.Type
	}
	return ret
}
