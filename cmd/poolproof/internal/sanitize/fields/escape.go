package fields

import (
	"go/ast"
	"go/types"
	"slices"
)

// tracer says where the array of an expression comes from, and where that of a local variable goes to.
type tracer struct {
	body     *body
	visiting map[*types.Var]bool // whose values are being looked at
	followed int                 // how often a variable's values were looked at: see mostFollowed
	uses     map[*types.Var]use  // see use
}

// use is where the array of a local variable goes to.
type use struct {
	kept     bool // somewhere beside one field of one value
	returned bool
	to       []Arg
	targets  map[string]bool // the fields
}

// use looks at all uses of a variable, and of those that it is copied to.
func (f *tracer) use(v *types.Var) use {
	if u, ok := f.uses[v]; ok {
		return u
	}
	u := use{targets: map[string]bool{}}
	f.follow(v, &u, map[*types.Var]bool{})
	if u.targets["return"] {
		delete(u.targets, "return")
		u.returned = true
	}
	if len(u.targets) > 1 {
		u.kept = true
	}
	f.uses[v] = u
	return u
}

func (f *tracer) follow(v *types.Var, u *use, seen map[*types.Var]bool) {
	if seen[v] {
		return
	}
	seen[v] = true
	for _, id := range f.body.reads[v] {
		f.climb(id, u, seen)
	}
}

// climb follows a value outwards, from the expression that reads it.
func (f *tracer) climb(at ast.Expr, u *use, seen map[*types.Var]bool) {
	var here ast.Node = at
	for {
		parent := f.body.parents[here]
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
			if p.X == here && f.body.elementAddressed(p) {
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
			if call, ok := f.body.parents[p].(*ast.CallExpr); ok && call.Fun == p {
				_, isGo := f.body.parents[call].(*ast.GoStmt)
				switch fn := f.body.callee(call); {
				case fn == nil || isGo || dynamic(fn):
				case f.body.stdFunc(fn): // a method of the library keeps its receiver at most in what it returns
					if t := f.body.typeOf(call); t != nil && types.Identical(t, f.body.typeOf(p.X)) {
						here = call
						continue
					}
					return
				default:
					f.handed(call, fn, 0, u)
					return
				}
			}
			if s := f.body.info.Selections[p]; s != nil && s.Kind() == types.FieldVal && !f.body.elementAddressed(p) {
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

// goesTo notes what a value is assigned to.
func (f *tracer) goesTo(left ast.Expr, u *use, seen map[*types.Var]bool) {
	left = ast.Unparen(left)
	switch left := left.(type) {
	case *ast.Ident:
		if left.Name == "_" {
			return
		}
		if v := f.body.variable(left); v != nil && !packageLevel(v) {
			f.follow(v, u, seen)
			return
		}
	case *ast.SelectorExpr:
		if len(f.body.keys(left)) > 0 {
			u.targets[f.body.base(left)+"."+left.Sel.Name] = true
			return
		}
	case *ast.IndexExpr:
		if keys := f.body.keys(left); len(keys) > 0 { // a row
			u.targets[f.body.base(left)+keys[0]] = true
			return
		}
	case *ast.StarExpr:
		if _, ok := f.body.pointer(left); ok {
			u.targets["*"] = true
			return
		}
	}
	u.kept = true
}

// intoLiteral notes a composite literal that the value is put into: of a struct, it
// goes to one field.
func (f *tracer) intoLiteral(value, parent ast.Node, u *use) {
	lit, ok := parent.(*ast.CompositeLit)
	name := ""
	if kv, isKey := parent.(*ast.KeyValueExpr); isKey {
		if kv.Key == value {
			return
		}
		lit, ok = f.body.parents[kv].(*ast.CompositeLit)
		name = types.ExprString(kv.Key)
	} else if ok {
		for i, e := range lit.Elts {
			if st, isStruct := under(f.body.typeOf(lit)).(*types.Struct); isStruct && e == value {
				name = st.Field(i).Name()
			}
		}
	}
	if !ok {
		u.kept = true
		return
	}
	t := f.body.typeOf(lit)
	if p, ok := under(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if _, ok := under(t).(*types.Struct); !ok {
		u.kept = true
		return
	}
	u.targets[f.body.renewed(lit)+"."+name] = true
}

// argumentUse notes a call that the value is an argument of. It reports whether the
// value of the call has the array, too.
func (f *tracer) argumentUse(call *ast.CallExpr, arg ast.Node, u *use) (goesOn bool) {
	if f.body.info.Types[call.Fun].IsType() {
		if isSlice(f.body.typeOf(call)) {
			return true
		}
		if !isString(f.body.typeOf(call)) {
			u.kept = true
		}
		return false
	}
	i := slices.IndexFunc(call.Args, func(a ast.Expr) bool { return a == arg })
	switch f.body.builtin(call) {
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
	name := f.body.name(call)
	switch {
	case name != "" && extends(name) || name == "slices.Clip":
		return i == 0
	case name != "" && (keepsNothing(name) || makes(name)):
		return false
	}
	fn := f.body.callee(call)
	if _, isGo := f.body.parents[call].(*ast.GoStmt); isGo || fn == nil || dynamic(fn) || f.body.stdFunc(fn) {
		u.kept = true
		return false
	}
	if len(f.body.arguments(call)) > len(call.Args) {
		i++
	}
	return f.handed(call, fn, i, u)
}

// handed notes a function that the value is given to. It may return it: what
// the call's value is then used for is part of the question.
func (f *tracer) handed(call *ast.CallExpr, fn *types.Func, i int, u *use) (goesOn bool) {
	if sig := fn.Signature(); sig.Variadic() && i >= sig.Params().Len()-1 {
		u.kept = true
		return false
	}
	u.to = append(u.to, Arg{Func: fn.FullName(), N: i})
	return has(f.body.typeOf(call))
}
