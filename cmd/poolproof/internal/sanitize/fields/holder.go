package fields

import (
	"go/ast"
	"go/types"
	"slices"
)

// Holder is the memory that a value is stored in, as the function that stores it sees it. The
// zero Holder is memory that this function has made.
type Holder struct {
	Lives bool   `json:"lives,omitempty"` // it is there after the call, as a package variable is
	Param int    `json:"param,omitempty"` // 1 + the number of the parameter that refers to it
	Of    string `json:"of,omitempty"`    // the function whose result refers to it
}

// local reports whether a variable belongs to the function that the value lives in.
func (s *spread) local(v *types.Var) bool {
	return s.maker.Pos() <= v.Pos() && v.Pos() <= s.maker.End()
}

// parameter is the number of a parameter of the function that the value lives in.
func (s *spread) parameter(v *types.Var) (n int, ok bool) {
	if lit, isLit := s.maker.(*ast.FuncLit); isLit {
		for _, field := range lit.Type.Params.List {
			for _, id := range field.Names {
				if s.body.info.Defs[id] == v {
					return n, true
				}
				n++
			}
			if len(field.Names) == 0 {
				n++
			}
		}
		return 0, false
	}
	n, ok = s.body.params[v]
	return n, ok
}

// holder says what memory an expression is in, or refers to. What a call of unknown code
// returns is no memory that is shown to outlive the call.
func (s *spread) holder(e ast.Expr, depth int) Holder {
	if depth > 8 {
		return Holder{Lives: true}
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := s.body.objectOf(e).(*types.Var)
		switch {
		case !ok:
			return Holder{}
		case !s.local(v):
			return Holder{Lives: true}
		}
		return s.variableHolder(v, depth)
	case *ast.SelectorExpr:
		if s.body.info.Selections[e] == nil && s.body.qualified(e) {
			return Holder{Lives: true}
		}
		return s.holder(e.X, depth+1)
	case *ast.IndexExpr:
		return s.holder(e.X, depth+1)
	case *ast.StarExpr:
		return s.holder(e.X, depth+1)
	case *ast.SliceExpr:
		return s.holder(e.X, depth+1)
	case *ast.UnaryExpr:
		return s.holder(e.X, depth+1)
	case *ast.TypeAssertExpr:
		return s.holder(e.X, depth+1)
	case *ast.CallExpr:
		return s.resultHolder(e, depth)
	}
	return Holder{}
}

func (s *spread) variableHolder(v *types.Var, depth int) Holder {
	if n, ok := s.parameter(v); ok {
		return Holder{Param: 1 + n}
	}
	if s.body.literals[v] {
		if x := s.ranged(v); x != nil {
			return s.holder(x, depth+1)
		}
		return Holder{Lives: true}
	}
	for _, d := range s.body.defs[v] {
		if h := s.holder(d.value, depth+1); h != (Holder{}) {
			return h
		}
	}
	return Holder{}
}

func (s *spread) resultHolder(call *ast.CallExpr, depth int) Holder {
	if tv, ok := s.body.info.Types[call.Fun]; ok && tv.IsType() && len(call.Args) == 1 {
		return s.holder(call.Args[0], depth+1)
	}
	if s.body.builtin(call) == "append" && len(call.Args) > 0 {
		return s.holder(call.Args[0], depth+1)
	}
	if fn := s.body.callee(call); fn != nil && !dynamic(fn) && !s.body.stdFunc(fn) {
		return Holder{Of: fn.FullName()}
	}
	return Holder{}
}

// ranged returns what a range statement that sets a variable goes over; nil if there is none.
func (s *spread) ranged(v *types.Var) (x ast.Expr) {
	ast.Inspect(s.maker, func(n ast.Node) bool {
		if r, ok := n.(*ast.RangeStmt); ok {
			for _, e := range []ast.Expr{r.Key, r.Value} {
				if id, ok := e.(*ast.Ident); ok && s.body.objectOf(id) == v {
					x = r.X
				}
			}
		}
		return x == nil
	})
	return x
}

// dynamicKey names all functions that a call may reach which names none of them: methods by
// name and signature, function values by signature alone.
func dynamicKey(method string, sig *types.Signature) string {
	key := "func " + method + "("
	generic := false
	for _, list := range []*types.Tuple{sig.Params(), sig.Results()} {
		for v := range list.Variables() {
			generic = generic || holdsTypeParam(v.Type(), 0)
			key += types.TypeString(v.Type(), nil) + ","
		}
		key += ")"
	}
	if generic {
		return arityKey(method, sig)
	}
	return key
}

// arityKey is for signatures with type parameters, whose types are not known.
func arityKey(method string, sig *types.Signature) string {
	return "func " + method + " of " + itoa(sig.Params().Len())
}

func holdsTypeParam(t types.Type, depth int) bool {
	if isTypeParam(t) {
		return true
	}
	switch u := types.Unalias(t).(type) {
	case *types.Pointer:
		return depth < 4 && holdsTypeParam(u.Elem(), depth+1)
	case *types.Slice:
		return depth < 4 && holdsTypeParam(u.Elem(), depth+1)
	case *types.Named:
		for a := range u.TypeArgs().Types() {
			if depth < 4 && holdsTypeParam(a, depth+1) {
				return true
			}
		}
	}
	return false
}

// calledAs is how a call names the function that it calls: an interface's method by its key.
func calledAs(fn *types.Func) string {
	if dynamic(fn) {
		return dynamicKey(fn.Name(), fn.Signature())
	}
	return fn.FullName()
}

// value notes a function that a call may reach without its name. shift is 1 where the call has
// no argument for the first parameter.
func (f *Facts) value(method string, sig *types.Signature, name string, shift int) {
	if !slices.ContainsFunc(slices.Collect(sig.Params().Variables()), func(v *types.Var) bool { return poolable(v.Type()) }) &&
		(method == "" || sig.Recv() == nil) {
		return
	}
	a := Arg{Func: name, N: shift}
	for _, key := range []string{dynamicKey(method, sig), arityKey(method, sig)} {
		if !slices.Contains(f.Values[key], a) {
			put(&f.Values, key, append(f.Values[key], a))
		}
	}
}

// poolable reports whether a value of a type may refer to an object that a pool holds.
func poolable(t types.Type) bool {
	if s, ok := under(t).(*types.Slice); ok {
		t = s.Elem()
	}
	if t != nil && types.IsInterface(t) || isTypeParam(t) {
		return true
	}
	named, ok := pointee(t).(*types.Named)
	return ok && refers(t) && (named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != "testing")
}

// valueOf notes a function that is named without a call.
func (f *makers) valueOf(e ast.Expr, fn *types.Func) {
	sig := fn.Signature()
	if sig.Recv() == nil {
		f.facts.value("", sig, fn.FullName(), 0)
	} else if sel, ok := e.(*ast.SelectorExpr); ok { // T.Method, whose first parameter is the receiver, is rare
		if chosen := f.body.info.Selections[sel]; chosen != nil && chosen.Kind() == types.MethodVal {
			f.facts.value("", sig, fn.FullName(), 1)
		}
	}
}

// asHook notes what a function literal does with its parameters.
func (f *makers) asHook(lit *ast.FuncLit) {
	sig, ok := under(f.body.typeOf(lit)).(*types.Signature)
	if !ok || f.calledAtOnce(lit) {
		return
	}
	var out Func
	for i := range sig.Params().Len() {
		v := sig.Params().At(i)
		if !poolable(v.Type()) {
			continue
		}
		s := f.newSpread(lit)
		s.uses(v)
		if !s.out.empty() {
			put(&out.Gives, i, s.out)
		}
	}
	if out.Gives != nil {
		name := "literal " + f.body.pkg + " " + f.body.at(lit) + " " + itoa(int(lit.Pos()))
		f.facts.Funcs[name] = out
		f.facts.value("", sig, name, 0)
	}
}
