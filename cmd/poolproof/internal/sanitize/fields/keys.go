package fields

import (
	"go/types"
	"slices"
	"strconv"
)

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
	return "func " + method + " of " + strconv.Itoa(sig.Params().Len())
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
