package pooldecl

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// Of reads the package that pass analyses.
func Of(pass *analysis.Pass) Decls {
	r := reader{info: pass.TypesInfo, files: pass.Files, decls: Decls{}, makers: MakersOf(pass.TypesInfo, pass.Files)}
	for _, f := range pass.Files {
		r.file(f)
	}
	return r.decls
}

// reader goes through the files of a package.
type reader struct {
	info   *types.Info
	files  []*ast.File
	decls  Decls
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
	ast.PreorderStack(f, nil, func(n ast.Node, path []ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			r.ident(n, path)
		case *ast.CompositeLit:
			if t := r.info.TypeOf(n); t != nil && IsPool(t) {
				r.literal(n, n, path)
			}
			r.elements(n, path)
		case *ast.CallExpr:
			if lit, ok := r.makers.made(r.info, n); ok || isNew(n) && IsPool(r.info.TypeOf(n)) {
				r.literal(lit, n, path)
			}
		case *ast.AssignStmt:
			r.assign(n)
		}
		return true
	})
}

// ident notes a declaration of a pool, or a use that is more than a call of
// its methods.
func (r *reader) ident(id *ast.Ident, path []ast.Node) {
	if v, ok := r.info.Defs[id].(*types.Var); ok && HoldsPools(v.Type()) {
		d := r.decl(v)
		d.Shared = d.Shared || syntax.Parameter(path) || r.elsewhere(id, path)
		return
	}
	v, ok := r.info.Uses[id].(*types.Var)
	if ok && HoldsPools(v.Type()) && !r.harmless(id, path) {
		r.decl(v).Shared = true
	}
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
	d.Made = true
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
		v := syntax.Field(r.info, lit, e)
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
			if v := syntax.Field(r.info, p, child); v != nil {
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
					return syntax.Variable(r.info, p.Lhs[j])
				}
			}
			return nil
		default:
			return nil
		}
	}
	return nil
}

// assign notes p.New = f, and a pool that comes from elsewhere.
func (r *reader) assign(a *ast.AssignStmt) {
	for i, l := range a.Lhs {
		if sel, ok := ast.Unparen(l).(*ast.SelectorExpr); ok && sel.Sel.Name == "New" && IsPool(r.info.TypeOf(sel.X)) {
			if v := syntax.Variable(r.info, sel.X); v != nil && len(a.Lhs) == len(a.Rhs) {
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
		v := syntax.Variable(r.info, l)
		if v == nil {
			continue
		}
		if len(a.Lhs) != len(a.Rhs) || !r.isMade(a.Rhs[i]) {
			r.decl(v).Shared = true
		}
	}
}

// isMade reports whether e is a literal, or a call of a maker.
func (r *reader) isMade(e ast.Expr) bool {
	_, ok := r.makers.made(r.info, e)
	return ok || isLiteral(e)
}

// isLiteral reports whether e is a literal, or its address, or an empty set.
func isLiteral(e ast.Expr) bool {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		fn, ok := call.Fun.(*ast.Ident)
		return ok && (fn.Name == "new" || fn.Name == "make")
	}
	return isNew(e)
}

// function reads what a New function returns.
func (r *reader) function(e ast.Expr) New {
	n := New{Pos: e.Pos()}
	body := syntax.Body(r.info, r.files, e)
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
	_, parameter := tv.Type.(*types.TypeParam)
	if tv.Type != nil && !tv.IsNil() && (parameter || !types.IsInterface(tv.Type)) {
		ret.Type = tv.Type
	}
	return ret
}

// Makers are the functions of a package that do nothing but return a new pool, with its literal,
// or nil for new(sync.Pool). A call of one makes the same pool as its literal.
type Makers map[*types.Func]*ast.CompositeLit

// MakersOf finds those of some files.
func MakersOf(info *types.Info, files []*ast.File) Makers {
	m := Makers{}
	for _, f := range files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil || len(fn.Body.List) != 1 {
				continue
			}
			ret, ok := fn.Body.List[0].(*ast.ReturnStmt)
			if !ok || len(ret.Results) != 1 {
				continue
			}
			obj, _ := info.Defs[fn.Name].(*types.Func)
			if t := info.TypeOf(ret.Results[0]); obj != nil && t != nil && IsPool(t) && isNew(ret.Results[0]) {
				m[obj] = literalOf(ret.Results[0])
			}
		}
	}
	return m
}

// made returns the literal that a call makes, and whether e is a call of a maker.
func (m Makers) made(info *types.Info, e ast.Expr) (lit *ast.CompositeLit, ok bool) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return nil, false
	}
	var name *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		name = fun
	case *ast.SelectorExpr:
		name = fun.Sel
	default:
		return nil, false
	}
	fn, ok := info.Uses[name].(*types.Func)
	if !ok {
		return nil, false
	}
	lit, ok = m[fn.Origin()]
	return lit, ok
}

// isNew reports whether a value is made on the spot. Without a value, a
// variable is its own.
func isNew(value ast.Expr) bool {
	if value == nil {
		return true
	}
	switch e := ast.Unparen(value).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.UnaryExpr:
		return e.Op == token.AND && isNew(e.X)
	case *ast.CallExpr:
		id, ok := e.Fun.(*ast.Ident)
		return ok && id.Name == "new"
	}
	return false
}

// literalOf returns the composite literal that e is, or has the address of; nil if it is none.
func literalOf(e ast.Expr) *ast.CompositeLit {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return e
	case *ast.UnaryExpr:
		return literalOf(e.X)
	}
	return nil
}

// IsPool reports whether t is sync.Pool, or a pointer to it.
func IsPool(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	return IsPoolValue(t)
}

// IsPoolValue reports whether t is sync.Pool itself.
func IsPoolValue(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == "Pool" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync"
}

// HoldsPools reports whether a variable of type t is a pool, a pointer to one, or
// a set of them.
func HoldsPools(t types.Type) bool { return syntax.Holds(t, true, IsPoolValue) }

// Contains reports whether a value of type t has a pool in it.
func Contains(t types.Type) bool { return contains(t, map[types.Type]bool{}) }

func contains(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if IsPoolValue(t) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return contains(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if contains(f.Type(), seen) {
				return true
			}
		}
	case *types.Tuple:
		for v := range u.Variables() {
			if contains(v.Type(), seen) {
				return true
			}
		}
	}
	return false
}
