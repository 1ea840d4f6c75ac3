package fields

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// source says where the array of a value comes from.
func (f *tracer) source(d def) Source {
	if d.i >= 0 {
		if call, ok := ast.Unparen(d.value).(*ast.CallExpr); ok {
			return f.result(call, d.i)
		}
		return ofOthers("a receive, a map or an assertion gives it")
	}
	e := ast.Unparen(d.value)
	if f.body.makesRef(e) {
		return Source{Kind: Fresh}
	}
	switch e := e.(type) {
	case *ast.Ident:
		return f.variable(e)
	case *ast.CompositeLit:
		if isSlice(f.body.typeOf(e)) {
			return Source{Kind: Fresh}
		}
	case *ast.CallExpr:
		return f.result(e, 0)
	case *ast.SliceExpr:
		return f.sliced(e)
	case *ast.SelectorExpr, *ast.IndexExpr:
		if keys := f.body.keys(e); len(keys) > 0 {
			return Source{Kind: OfField, Keys: keys, Base: f.body.base(e)}
		}
		if sel, ok := e.(*ast.SelectorExpr); ok {
			if v, ok := f.body.info.Uses[sel.Sel].(*types.Var); ok && !v.IsField() {
				return ofOthers("a package variable")
			}
		}
		return ofOthers("an element of something else")
	case *ast.StarExpr:
		if i, ok := f.body.pointer(e); ok {
			return Source{Kind: Deref, N: i}
		}
		return ofOthers("what a pointer points to")
	case *ast.UnaryExpr:
		if e.Op == token.ARROW {
			return ofOthers("a receive of a channel")
		}
	case *ast.TypeAssertExpr:
		return ofOthers("a value of an interface")
	}
	return foreign("an expression that is not followed")
}

// sliced is the source of x[i:j].
func (f *tracer) sliced(e *ast.SliceExpr) Source {
	x := ast.Unparen(e.X)
	switch t := under(f.body.typeOf(x)).(type) {
	case *types.Slice:
	case *types.Array:
		return f.array(x)
	case *types.Pointer:
		if _, ok := under(t.Elem()).(*types.Array); ok {
			return foreign("an array")
		}
	case *types.Basic:
		if t.Kind() != types.Invalid {
			return foreign("a string")
		}
	}
	from := f.source(def{x, -1})
	if e.Slice3 || e.Low != nil && !isZero(e.Low) || e.High == nil {
		return from // a window, which says nothing of the array's use
	}
	kind := Cut
	switch length, field := f.body.fills(e.High, x); {
	case isZero(e.High):
		kind = Empty
	case length:
		kind = Grown
	case field:
		return from
	}
	return Source{Kind: kind, Args: []Source{from}}
}

// array is the source of a slice of an array: one in the object itself is the
// object's.
func (f *tracer) array(x ast.Expr) Source {
	sel, ok := x.(*ast.SelectorExpr)
	if !ok {
		return foreign("an array")
	}
	if s := f.body.info.Selections[sel]; s == nil || s.Kind() != types.FieldVal {
		return foreign("an array of a package")
	}
	return Source{Kind: OfField, Base: f.body.base(sel)}
}

func isZero(e ast.Expr) bool {
	lit, ok := e.(*ast.BasicLit)
	return ok && lit.Kind == token.INT && lit.Value == "0"
}

// result is the source of result i of a call.
func (f *tracer) result(call *ast.CallExpr, i int) Source {
	if f.body.info.Types[call.Fun].IsType() {
		return f.converted(call)
	}
	switch f.body.builtin(call) {
	case "make", "new":
		return Source{Kind: Fresh}
	case "append":
		return Source{Kind: Grown, Args: []Source{f.source(def{call.Args[0], -1})}}
	case "":
	default:
		return foreign("")
	}
	if name := f.body.name(call); name != "" {
		switch {
		case i == 0 && extends(name) && len(call.Args) > 0:
			return Source{Kind: Grown, Args: []Source{f.source(def{call.Args[0], -1})}}
		case i == 0 && name == "slices.Clip" && len(call.Args) == 1:
			return Source{Kind: Cut, Args: []Source{f.source(def{call.Args[0], -1})}}
		case i == 0 && makes(name):
			return Source{Kind: Fresh}
		}
	}
	fn := f.body.callee(call)
	switch {
	case fn != nil && !dynamic(fn) && f.body.stdFunc(fn):
		return foreign("a call's result: " + short(call))
	case fn == nil || dynamic(fn):
		if slices.ContainsFunc(call.Args, func(a ast.Expr) bool { return isSlice(f.body.typeOf(a)) }) {
			return foreign("a call's result: " + short(call)) // as often as not what it was given
		}
		return ofOthers("a call's result: " + short(call))
	}
	s := Source{Kind: Call, Func: fn.FullName(), N: i, Why: "a call's result: " + short(call)}
	for _, a := range f.body.arguments(call) {
		s.Args, s.Bases = append(s.Args, f.argument(a)), append(s.Bases, f.body.path(a))
	}
	return s
}

// short is the text of what a call calls.
func short(call *ast.CallExpr) string {
	text := types.ExprString(call.Fun)
	if len(text) > 40 {
		text = text[:37] + "..."
	}
	return text + "()"
}

// converted is the source of T(x).
func (f *tracer) converted(call *ast.CallExpr) Source {
	if len(call.Args) != 1 {
		return foreign("")
	}
	x := call.Args[0]
	t := f.body.typeOf(x)
	switch {
	case isString(t):
		return Source{Kind: Fresh}
	case isSlice(t):
		return f.source(def{x, -1})
	case t == types.Typ[types.UntypedNil]:
		return Source{Kind: Fresh}
	}
	return foreign("a conversion")
}

// mostFollowed is how often the variables of one function are followed. Each of many
// that are set from each other, in a loop, can be reached on as many paths as there
// are orders of the others; what is not followed to its end is not the object's.
const mostFollowed = 2_000

// variable is the source of what a variable may hold.
func (f *tracer) variable(id *ast.Ident) Source {
	switch obj := f.body.objectOf(id).(type) {
	case *types.Nil:
		return null
	case *types.Var:
		return f.local(obj)
	}
	return foreign("")
}

func (f *tracer) local(v *types.Var) Source {
	switch {
	case v.Parent() == nil || packageLevel(v):
		return ofOthers("a package variable")
	case f.visiting[v]:
		return Source{Kind: Any} // nothing new
	case f.body.literals[v]:
		return foreign("a parameter, or a variable of a range")
	}
	if f.followed++; f.followed > mostFollowed {
		return foreign("too many variables are set from each other")
	}
	f.visiting[v] = true
	defer delete(f.visiting, v)
	var all []Source
	if i, ok := f.body.params[v]; ok {
		all = append(all, Source{Kind: Param, N: i, Why: "a parameter"})
	} else if len(f.body.defs[v]) == 0 && !f.body.zero[v] {
		return foreign("a variable of a type switch")
	}
	if f.body.zero[v] {
		all = append(all, Source{Kind: Fresh})
	}
	var again []Kind
	for _, d := range f.body.defs[v] {
		s := f.source(d)
		if own, kinds := repeats(s); own {
			again = append(again, kinds...)
			continue
		}
		all = append(all, s.reset(f.body.stable))
	}
	all = append(all, f.pointed(v)...)
	whole := Source{Kind: Any, Args: all}
	if len(all) == 1 {
		whole = all[0]
	}
	u := f.use(v)
	if u.kept || len(u.to) > 0 {
		to := u.to
		if u.kept {
			to = nil
		}
		whole = Source{Kind: Kept, Args: []Source{whole}, To: to}
	}
	if u.returned && len(u.targets) > 0 {
		whole = Source{Kind: Returned, Args: []Source{whole}}
	}
	slices.Sort(again)
	for _, kind := range slices.Compact(again) {
		whole = Source{Kind: kind, Args: []Source{whole}}
	}
	return whole
}

// repeats reports whether a source is the variable's own value, and
// what is done to it.
func repeats(s Source) (own bool, kinds []Kind) {
	for {
		switch {
		case s.Kind == Any && len(s.Args) == 0:
			return true, kinds
		case (s.Kind == Grown || s.Kind == Cut || s.Kind == Empty) && len(s.Args) == 1:
			kinds = append(kinds, s.Kind)
			s = s.Args[0]
		default:
			return false, nil
		}
	}
}

// argument is the source of a slice argument; of any other it says nothing.
func (f *tracer) argument(a ast.Expr) Source {
	if t := f.body.typeOf(a); !has(t) && t != nil && t != types.Typ[types.Invalid] {
		return Source{Kind: Any}
	}
	return f.source(def{a, -1})
}

// pointed returns the stores of functions to a variable whose address they are given.
func (f *tracer) pointed(v *types.Var) []Source {
	var all []Source
	for _, id := range f.body.reads[v] {
		switch p := f.body.around(id).(type) {
		case *ast.UnaryExpr:
			if p.Op == token.AND {
				all = append(all, f.byPointer(p))
			}
		case *ast.SelectorExpr: // v.add(s) takes the address of v
			if call, ok := f.body.around(p).(*ast.CallExpr); ok && isSlice(v.Type()) && ast.Unparen(call.Fun) == p {
				if fn := f.body.callee(call); fn != nil && ofPointer(fn) {
					all = append(all, f.throughLocal(call, fn, 0))
				}
			}
		}
	}
	return all
}

func (f *tracer) byPointer(n *ast.UnaryExpr) Source {
	call, ok := f.body.parents[n].(*ast.CallExpr)
	if !ok {
		return foreign("its address is taken")
	}
	fn := f.body.callee(call)
	if fn == nil || dynamic(fn) || f.body.stdFunc(fn) {
		return foreign("its address is taken")
	}
	return f.throughLocal(call, fn, slices.Index(f.body.arguments(call), ast.Expr(n)))
}

func (f *tracer) throughLocal(call *ast.CallExpr, fn *types.Func, n int) Source {
	if dynamic(fn) || f.body.stdFunc(fn) {
		return foreign("its address is given to " + fn.Name())
	}
	s := Source{Kind: ThroughCall, Func: fn.FullName(), N: n}
	for _, a := range f.body.arguments(call) {
		s.Args = append(s.Args, f.argument(a))
	}
	return s
}
