package unpool

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
)

// literal notes the New of a pool's literal with the variable that its place is for.
func (r reader) literal(lit *ast.CompositeLit) {
	owner := r.owner(lit, r.path)
	if owner == "" {
		r.strays = append(r.strays, stray{r.pkg, lit})
		return
	}
	r.begun[owner] = true
	bare := true
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "New" {
			r.maker(owner, kv.Value, target(r.path, lit))
			bare = false
		}
	}
	r.bare[owner] = r.bare[owner] || bare
}

// assignNew notes p.New = f.
func (r reader) assignNew(a *ast.AssignStmt) {
	for i, l := range a.Lhs {
		sel, ok := ast.Unparen(l).(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "New" {
			continue
		}
		s := r.info().Selections[sel]
		if s == nil || s.Obj().Pkg() == nil || s.Obj().Pkg().Path() != kinds[0].path {
			continue
		}
		value := a.Rhs[0] // p.New, err = f()
		if len(a.Lhs) == len(a.Rhs) {
			value = a.Rhs[i]
		}
		if k := r.of(sel, s); k != "" {
			r.maker(k, value, sel.X)
		}
	}
}

// maker notes a function that makes the objects of a variable's pools, which it is assigned to.
func (r reader) maker(k key, value, to ast.Expr) {
	m := maker{pkg: r.pkg, value: value, holder: r.holderOf(to)}
	switch e := ast.Unparen(value).(type) {
	case *ast.FuncLit:
		m.body = e.Body
	case *ast.Ident:
		if fn, ok := r.info().Uses[e].(*types.Func); ok {
			m.body = r.body(fn)
		}
	case *ast.SelectorExpr:
		if fn, ok := r.info().Uses[e.Sel].(*types.Func); ok {
			m.body = r.body(fn)
		}
	}
	r.makers[k] = append(r.makers[k], m)
}

// body is that of a function of the package.
func (r reader) body(fn *types.Func) *ast.BlockStmt {
	if decl := declOf(r.pkg, fn); decl != nil {
		return decl.Body
	}
	return nil
}

// owner is the key of what a literal is the value of, through sets of pools and &; "" where
// that is of no type that holds pools.
func (r reader) owner(lit ast.Node, path []ast.Node) key {
	child := lit
	for i, n := range slices.Backward(path) {
		switch p := n.(type) {
		case *ast.UnaryExpr, *ast.StarExpr, *ast.ParenExpr, *ast.KeyValueExpr:
			child = p
		case *ast.CompositeLit:
			if v := r.field(p, child); v != nil {
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
					return keyOf(r.fset, v)
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
	return keyOf(r.fset, v)
}

// field is the field of a struct literal that an element of it is for; nil: it is not
// a struct's.
func (r reader) field(lit *ast.CompositeLit, element ast.Node) *types.Var {
	t := r.info().TypeOf(lit)
	if t == nil {
		return nil
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	if kv, ok := element.(*ast.KeyValueExpr); ok {
		id, ok := kv.Key.(*ast.Ident)
		if !ok {
			return nil
		}
		v, _ := r.info().Uses[id].(*types.Var)
		return v
	}
	if i := slices.IndexFunc(lit.Elts, func(e ast.Expr) bool { return e == element }); i >= 0 && i < st.NumFields() {
		return st.Field(i).Origin()
	}
	return nil
}

// target returns the expression that the literal of a pool is assigned to, as e.pool; nil: it is not assigned.
func target(path []ast.Node, lit *ast.CompositeLit) ast.Expr {
	if a, ok := path[len(path)-1].(*ast.AssignStmt); ok && len(a.Lhs) == len(a.Rhs) {
		return a.Lhs[slices.Index(a.Rhs, ast.Expr(lit))]
	}
	return nil
}

// holderOf is the variable that a pool's New is assigned through, as e in e.pool.New = f or
// e.pool = sync.Pool{New: f}: e at a Get of e.pool stands for the same object. It is a pointer
// that is never assigned again; nil for others.
func (r reader) holderOf(target ast.Expr) *types.Var {
	sel, ok := ast.Unparen(target).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := r.info().Uses[id].(*types.Var)
	if !ok || v.IsField() || v.Parent() == r.pkg.Types.Scope() {
		return nil
	}
	if _, pointer := v.Type().Underlying().(*types.Pointer); !pointer || changed(r.info(), r.file, v) {
		return nil
	}
	return v
}

// changed reports whether a variable gets another value than its first, or its address is taken.
func changed(info *types.Info, file *ast.File, v *types.Var) (changed bool) {
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && info.Uses[id] == v
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				changed = changed || is(l)
			}
		case *ast.RangeStmt:
			changed = changed || n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value)
		case *ast.UnaryExpr:
			changed = changed || n.Op == token.AND && is(n.X)
		}
		return !changed
	})
	return changed
}

// other notes a method whose gets cannot be taken out.
func (r reader) other(fn *types.Func, sel *ast.SelectorExpr) {
	k, s := kindOfMethod(fn), r.info().Selections[sel]
	if k == nil || s == nil || !slices.Contains(k.others, fn.Name()) || r.pkg.PkgPath == k.path {
		return
	}
	if root := r.of(sel, s); root != "" {
		r.hands(root, sel, fn.Name()+" "+k.why)
		r.others = append(r.others, use{kind: k, pkg: r.pkg, file: r.file, sel: sel, root: root})
	}
}

// made notes a call that makes a pool whose options may have a New: only the pool can call that.
func (r reader) made(call *ast.CallExpr) {
	fn := typeutil.StaticCallee(r.info(), call)
	if fn == nil || fn.Pkg() == nil || len(call.Args) != 1 {
		return
	}
	for _, k := range kinds {
		if k.makes == "" || fn.Name() != k.makes || fn.Pkg().Path() != k.path {
			continue
		}
		lit, known := ast.Unparen(call.Args[0]).(*ast.CompositeLit)
		if known && !slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool {
			kv, ok := e.(*ast.KeyValueExpr)
			return !ok || types.ExprString(kv.Key) == "New"
		}) {
			continue
		}
		if owner := r.owner(call, r.path); owner != "" {
			r.hands(owner, call, "New of its options makes its objects")
		} else {
			r.unplaced[k] = true
		}
	}
}
