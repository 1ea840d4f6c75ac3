package fields

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
)

// use is where the array of a local variable goes to.
type use struct {
	kept     bool // somewhere beside one field of one value
	returned bool
	to       []Arg
	targets  map[string]bool // the fields
}

// use looks at all uses of a variable, and of those that it is copied to.
func (f *function) use(v *types.Var) use {
	u := use{targets: map[string]bool{}}
	f.follow(v, &u, map[*types.Var]bool{})
	if u.targets["return"] {
		delete(u.targets, "return")
		u.returned = true
	}
	if len(u.targets) > 1 {
		u.kept = true
	}
	return u
}

func (f *function) follow(v *types.Var, u *use, seen map[*types.Var]bool) {
	if seen[v] {
		return
	}
	seen[v] = true
	ast.Inspect(f.node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && f.info.Uses[id] == v {
			f.climb(id, u, seen)
		}
		return true
	})
}

// climb follows a value outwards, from the expression that reads it.
func (f *function) climb(at ast.Expr, u *use, seen map[*types.Var]bool) {
	var here ast.Node = at
	for {
		parent := f.parents[here]
		switch p := parent.(type) {
		case *ast.ParenExpr:
			here = p
			continue
		case *ast.SliceExpr:
			if p.X != here {
				return
			}
			here = p
			continue
		case *ast.IndexExpr:
			if p.X == here && f.addressed(p) {
				u.kept = true
			}
			return
		case *ast.CallExpr:
			if f.argumentUse(p, here, u) {
				here = p
				continue
			}
			return
		case *ast.AssignStmt:
			for i, right := range p.Rhs {
				if right == here && len(p.Lhs) == len(p.Rhs) {
					f.goesTo(p.Lhs[i], u, seen)
				}
			}
			return
		case *ast.ValueSpec:
			for i, right := range p.Values {
				if right == here && len(p.Names) == len(p.Values) {
					f.goesTo(p.Names[i], u, seen)
				}
			}
			return
		case *ast.KeyValueExpr, *ast.CompositeLit:
			f.intoLiteral(here, parent, u)
			return
		case *ast.RangeStmt, *ast.BinaryExpr, *ast.ExprStmt, *ast.SwitchStmt, *ast.CaseClause, *ast.IncDecStmt:
			return
		case *ast.UnaryExpr:
			return // its address: see pointed
		case *ast.SelectorExpr:
			if call, ok := f.parents[p].(*ast.CallExpr); ok && call.Fun == p {
				_, isGo := f.parents[call].(*ast.GoStmt)
				if fn := f.callee(call); fn != nil && !isGo && !dynamic(fn) && !f.stdFunc(fn) {
					f.handed(call, fn, 0, u)
					return
				}
			}
			if s := f.info.Selections[p]; s != nil && s.Kind() == types.FieldVal && !f.addressed(p) {
				return // a field of what it points to
			}
			u.kept = true
			return
		case *ast.ReturnStmt:
			u.targets["return"] = true
			return
		default: // it is sent, kept in an interface, or something that is not followed
			u.kept = true
			return
		}
	}
}

// addressed reports whether the address of an element is taken.
func (f *function) addressed(e ast.Expr) bool {
	for n := f.parents[e]; ; n = f.parents[n] {
		switch p := n.(type) {
		case *ast.ParenExpr, *ast.SelectorExpr, *ast.IndexExpr:
		case *ast.UnaryExpr:
			return p.Op == token.AND
		default:
			return false
		}
	}
}

// goesTo notes what a value is assigned to.
func (f *function) goesTo(left ast.Expr, u *use, seen map[*types.Var]bool) {
	left = ast.Unparen(left)
	switch left := left.(type) {
	case *ast.Ident:
		if left.Name == "_" {
			return
		}
		if v, ok := f.objectOf(left).(*types.Var); ok && (v.Pkg() == nil || v.Parent() != v.Pkg().Scope()) {
			f.follow(v, u, seen)
			return
		}
	case *ast.SelectorExpr:
		if len(f.keys(left)) > 0 {
			base, _ := f.base(left)
			u.targets[base+"."+left.Sel.Name] = true
			return
		}
	case *ast.IndexExpr:
		if keys := f.keys(left); len(keys) > 0 { // a row
			base, _ := f.base(left)
			u.targets[base+keys[0]] = true
			return
		}
	case *ast.StarExpr:
		if _, ok := f.pointer(left); ok {
			u.targets["*"] = true
			return
		}
	}
	u.kept = true
}

// intoLiteral notes a composite literal that the value is put into: of a struct, it
// goes to one field.
func (f *function) intoLiteral(value, parent ast.Node, u *use) {
	lit, ok := parent.(*ast.CompositeLit)
	name := ""
	if kv, isKey := parent.(*ast.KeyValueExpr); isKey {
		if kv.Key == value {
			return
		}
		lit, ok = f.parents[kv].(*ast.CompositeLit)
		name = types.ExprString(kv.Key)
	} else if ok {
		for i, e := range lit.Elts {
			if e == value {
				name = strconv.Itoa(i)
			}
		}
	}
	if !ok {
		u.kept = true
		return
	}
	t := f.typeOf(lit)
	if p, ok := under(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if _, ok := under(t).(*types.Struct); !ok {
		u.kept = true
		return
	}
	u.targets[f.renewed(lit)+"."+name] = true
}

// argumentUse notes a call that the value is an argument of. It reports whether the
// value of the call has the array, too.
func (f *function) argumentUse(call *ast.CallExpr, arg ast.Node, u *use) (goesOn bool) {
	if tv, ok := f.info.Types[call.Fun]; ok && tv.IsType() {
		if isSlice(f.typeOf(call)) {
			return true
		}
		if !isString(f.typeOf(call)) {
			u.kept = true
		}
		return false
	}
	i := 0
	for i < len(call.Args) && call.Args[i] != arg {
		i++
	}
	switch f.builtin(call) {
	case "append":
		if i == 0 {
			return true
		}
		if !call.Ellipsis.IsValid() {
			u.kept = true // as an element
		}
		return false
	case "":
	default:
		return false
	}
	name := f.name(call)
	switch {
	case name != "" && extends(name) || name == "slices.Clip":
		return i == 0
	case name != "" && (keepsNothing(name) || makes(name)):
		return false
	}
	fn := f.callee(call)
	if _, isGo := f.parents[call].(*ast.GoStmt); isGo || fn == nil || dynamic(fn) || f.stdFunc(fn) {
		u.kept = true
		return false
	}
	if sig, ok := fn.Type().(*types.Signature); ok && sig.Recv() != nil && len(f.arguments(call, fn)) > len(call.Args) {
		i++
	}
	return f.handed(call, fn, i, u)
}

// handed notes a function that the value is given to. It may return it: what
// the call's value is then used for is part of the question.
func (f *function) handed(call *ast.CallExpr, fn *types.Func, i int, u *use) (goesOn bool) {
	if sig, ok := fn.Type().(*types.Signature); ok && sig.Variadic() && i >= sig.Params().Len()-1 {
		u.kept = true
		return false
	}
	u.to = append(u.to, Arg{Func: fn.FullName(), N: i})
	return has(f.typeOf(call))
}

// pointed is what functions store to a variable whose address they are given.
func (f *function) pointed(v *types.Var) []Source {
	var all []Source
	ast.Inspect(f.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if id, ok := ast.Unparen(n.X).(*ast.Ident); ok && n.Op == token.AND && f.info.Uses[id] == v {
				all = append(all, f.byPointer(n, id))
			}
		case *ast.CallExpr:
			// v.add(s) takes the address of v.
			if fn := f.callee(n); fn != nil {
				sig, ok := fn.Type().(*types.Signature)
				if sel, isSel := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && isSel && sig.Recv() != nil {
					_, pointer := types.Unalias(sig.Recv().Type()).(*types.Pointer)
					if id, ok := ast.Unparen(sel.X).(*ast.Ident); ok && pointer && f.info.Uses[id] == v && isSlice(v.Type()) {
						all = append(all, f.throughLocal(n, fn, 0))
					}
				}
			}
		}
		return true
	})
	return all
}

func (f *function) byPointer(n *ast.UnaryExpr, id *ast.Ident) Source {
	call, ok := f.parents[n].(*ast.CallExpr)
	if !ok {
		return foreign("its address is taken")
	}
	fn := f.callee(call)
	if fn == nil || dynamic(fn) || f.stdFunc(fn) {
		return foreign("its address is taken")
	}
	for i, a := range f.arguments(call, fn) {
		if a == n {
			return f.throughLocal(call, fn, i)
		}
	}
	return foreign("its address is taken")
}

func (f *function) throughLocal(call *ast.CallExpr, fn *types.Func, n int) Source {
	if dynamic(fn) || f.stdFunc(fn) {
		return foreign("its address is given to " + fn.Name())
	}
	s := Source{Kind: ThroughCall, Func: fn.FullName(), N: n}
	for _, a := range f.arguments(call, fn) {
		s.Args = append(s.Args, f.argument(a))
	}
	return s
}

// escapesByAddress reports whether the address of a variable is taken, by & or by
// the call of a method of its pointer.
func (f *function) escapesByAddress(id *ast.Ident) bool {
	v, ok := f.objectOf(id).(*types.Var)
	if !ok {
		return false
	}
	if v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
		return true
	}
	return holdsSlices(v.Type()) && f.addressTaken(v, true)
}

func (f *function) addressTaken(v *types.Var, methods bool) bool {
	found := false
	ast.Inspect(f.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && f.rootedIn(n.X, v)
		case *ast.SelectorExpr:
			s := f.info.Selections[n]
			if s == nil || s.Kind() == types.FieldVal || !methods {
				return true
			}
			sig, ok := s.Obj().Type().(*types.Signature)
			if !ok || sig.Recv() == nil {
				return true
			}
			_, pointer := types.Unalias(sig.Recv().Type()).(*types.Pointer)
			_, already := under(f.typeOf(n.X)).(*types.Pointer)
			found = found || pointer && !already && f.rootedIn(n.X, v)
		}
		return !found
	})
	return found
}

// rootedIn reports whether an expression is a variable or a part of it.
func (f *function) rootedIn(e ast.Expr, v *types.Var) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return f.info.Uses[e] == v
	case *ast.SelectorExpr:
		if _, pointer := under(f.typeOf(e.X)).(*types.Pointer); pointer {
			return false
		}
		return f.rootedIn(e.X, v)
	case *ast.IndexExpr:
		if _, ok := under(f.typeOf(e.X)).(*types.Array); ok {
			return f.rootedIn(e.X, v)
		}
	}
	return false
}

func itoa(n int) string { return strconv.Itoa(n) }

// summary says what the function does with its parameters and returns.
func (f *function) summary() {
	sig, ok := f.info.Defs[f.decl.Name].(*types.Func)
	if !ok {
		return
	}
	results := sig.Type().(*types.Signature).Results()
	some := false
	for i := range results.Len() {
		some = some || has(results.At(i).Type())
	}
	if some {
		f.out.Results = make([]Source, results.Len())
		for i := range f.out.Results {
			f.out.Results[i] = Source{Kind: Any}
		}
		f.returns(f.decl.Body, results)
	}
	for v, i := range f.params {
		if has(v.Type()) {
			f.keeps(v, i)
		}
		if p, ok := under(v.Type()).(*types.Pointer); ok && (isSlice(p.Elem()) || isTypeParam(p.Elem())) {
			f.pointers(v, i)
		}
	}
}

// returns collects what the function's own return statements return.
func (f *function) returns(body ast.Node, results *types.Tuple) {
	add := func(i int, s Source) {
		r := &f.out.Results[i]
		r.Args = append(r.Args, s)
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			for i := range results.Len() {
				if t := results.At(i).Type(); !has(t) {
					continue
				}
				switch {
				case len(n.Results) == results.Len():
					add(i, f.source(def{n.Results[i], -1}))
				case len(n.Results) == 1:
					add(i, f.source(def{n.Results[0], i}))
				case len(n.Results) == 0 && i < len(f.results):
					add(i, f.variableOf(f.results[i]))
				}
			}
		}
		return true
	})
}

// variableOf is the source of a named result.
func (f *function) variableOf(v *types.Var) Source {
	var s Source
	found := false
	ast.Inspect(f.decl.Type.Results, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && f.info.Defs[id] == v {
			s, found = f.variable(id), true
		}
		return !found
	})
	if !found {
		return foreign("a result without a name")
	}
	return s
}

// keeps notes whether the array of a parameter may be kept.
func (f *function) keeps(v *types.Var, i int) {
	u := f.use(v) // whether it is returned the caller sees itself
	if u.kept || len(u.targets) > 0 {
		if f.out.Keeps == nil {
			f.out.Keeps = map[int]bool{}
		}
		f.out.Keeps[i] = true
		return
	}
	if len(u.to) > 0 {
		if f.out.Passes == nil {
			f.out.Passes = map[int][]Arg{}
		}
		f.out.Passes[i] = u.to
	}
}

// pointers notes where a pointer to a slice goes to: if anywhere but to another
// function, anything may be stored through it.
func (f *function) pointers(v *types.Var, i int) {
	through := func(s Source) {
		if f.out.Through == nil {
			f.out.Through = map[int][]Source{}
		}
		f.out.Through[i] = append(f.out.Through[i], s)
	}
	if f.out.Through[i] == nil {
		through(Source{Kind: Deref, N: i}) // a function that stores nothing is known, too
	}
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || f.info.Uses[id] != v {
			return true
		}
		switch p := f.parents[id].(type) {
		case *ast.StarExpr, *ast.BinaryExpr:
			if star, ok := p.(*ast.StarExpr); ok {
				if and, ok := f.parents[star].(*ast.UnaryExpr); ok && and.Op == token.AND {
					through(foreign("its address is taken"))
				}
			}
		case *ast.SelectorExpr:
			call, ok := f.parents[p].(*ast.CallExpr)
			if fn := f.callee1(call, ok); fn != nil {
				through(f.throughLocal(call, fn, 0))
				return true
			}
			through(foreign("its address is kept"))
		case *ast.CallExpr:
			fn := f.callee1(p, true)
			if fn == nil {
				through(foreign("its address is given on"))
				return true
			}
			for k, a := range f.arguments(p, fn) {
				if a == id {
					through(f.throughLocal(p, fn, k))
				}
			}
		default:
			through(foreign("its address is kept"))
		}
		return true
	})
}

func (f *function) callee1(call *ast.CallExpr, ok bool) *types.Func {
	if !ok {
		return nil
	}
	return f.callee(call)
}
