package reuse

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// argument says how a call keeps what it is passed.
func (k *keeper) argument(call *ast.CallExpr, arg ast.Expr, path []ast.Node, i int, s shape, v *types.Var) string {
	name := v.Name()
	if call.Fun == arg {
		return name + " is called"
	}
	at := slices.Index(call.Args, arg)
	if tv, ok := k.info.Types[call.Fun]; ok && tv.IsType() {
		if syntax.String(tv.Type) || s == object && types.IsInterface(tv.Type) {
			if s == object {
				return k.use(path, i, s, v)
			}
			return ""
		}
		return name + " is converted"
	}
	switch builtinOf(k.info, call) {
	case "cap":
		if k.grows != nil || k.mayBeNil {
			return "the room of " + name + " is asked for"
		}
		return ""
	case "len", "delete":
		return ""
	case "copy", "clear":
		k.written = k.written || at == 0
		return ""
	case "append":
		if at == 0 { // as what is appended to
			assign, ok := path[i-1].(*ast.AssignStmt)
			switch again := ok && len(assign.Lhs) == 1 && back(k.info, assign.Lhs[0], arg) == v; {
			case k.grows == nil && again:
				return ""
			case k.grows == nil:
				return k.use(path, i, s, v)
			case !again || k.grows != v || k.depth > 0:
				return "what is appended to " + name + " goes elsewhere"
			case !v.IsField() && inside[*ast.FuncLit](path):
				return name + " is appended to in a function value"
			case v.IsField() && ofValue(k.info, arg):
				return name + " is appended to in a value, which may be a copy"
			}
			return ""
		}
		if call.Ellipsis.IsValid() && at == len(call.Args)-1 {
			return ""
		}
		return name + " is appended to another slice"
	}
	fn := calledFunc(k.info, call)
	if fn == nil {
		return name + " is passed to a function value"
	}
	k.held, k.written = append(k.held, call), true
	if s != slice && (reads(fn, at) || slices.Contains(fills, fn.FullName())) {
		k.cleared = append(k.cleared, fn.Name())
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if s := k.info.Selections[sel]; s != nil && s.Kind() == types.MethodExpr {
			return fmt.Sprintf("%s is passed to the method expression %s", name, fn.Name())
		}
	}
	if s == slice && k.mayCall(fn, at) && types.NewMethodSet(k.info.TypeOf(arg)).Len() > 0 {
		return fmt.Sprintf("%s is passed to %s, which may call methods of it", name, fn.Name())
	}
	if strings.HasSuffix(fn.FullName(), "/template.Template).Execute") || strings.HasSuffix(fn.FullName(), "/template.Template).ExecuteTemplate") {
		if at == len(call.Args)-1 {
			return name + " is passed to the functions of a template"
		}
	}
	if why, known := k.listed(fn, path, i, v); known {
		return why
	}
	return k.callee(fn.Origin(), at, s, name)
}

// mayCall reports whether a function knows an argument by the methods of it.
func (k *keeper) mayCall(fn *types.Func, at int) bool {
	params := fn.Signature().Params()
	if at < 0 || params.Len() == 0 {
		return true
	}
	t := params.At(min(at, params.Len()-1)).Type()
	if fn.Signature().Variadic() && at >= params.Len()-1 {
		t = t.Underlying().(*types.Slice).Elem()
	}
	if _, generic := types.Unalias(t).(*types.TypeParam); generic && fn.Pkg() != k.pkg.Types {
		return false // those of other packages that are listed call none
	}
	return types.IsInterface(t)
}

// callee follows an argument into a function of the package.
func (k *keeper) callee(fn *types.Func, at int, s shape, name string) string {
	const deep = 6
	sig := fn.Signature()
	whole := fn.Name()
	if fn.Pkg() != nil && fn.Pkg() != k.pkg.Types {
		whole = fn.Pkg().Name() + "." + whole
	}
	decl := syntax.Declaration(k.info, k.pkg.Syntax, fn)
	if decl == nil || decl.Body == nil {
		return fmt.Sprintf("%s is passed to %s, of which nothing is known", name, whole)
	}
	other := k.folder.declares(fn.Name())
	switch {
	case other != "":
		return fmt.Sprintf("%s is passed to %s, which %s has for another build", name, whole, other)
	case at >= sig.Params().Len() || sig.Variadic() && at >= sig.Params().Len()-1:
		return fmt.Sprintf("%s is one of the variable arguments of %s", name, whole)
	case k.depth >= deep:
		return fmt.Sprintf("%s is passed on through %d functions", name, deep)
	}
	param := sig.Params().At(at)
	_, generic := types.Unalias(param.Type()).(*types.TypeParam) // a slice may be one
	if types.IsInterface(param.Type()) && !(generic && s == slice) {
		s = object
	}
	k.depth++
	defer func() { k.depth-- }()
	was := k.copied
	k.copied = nil
	defer func() { k.copied = was }()
	if r := k.keeps(param, decl.Body, s); r != nil {
		return fmt.Sprintf("%s is passed to %s, where %s", name, whole, r.text)
	}
	return ""
}

// listed says what is known of a function of another package.
func (k *keeper) listed(fn *types.Func, path []ast.Node, i int, v *types.Var) (why string, known bool) {
	name := fn.FullName()
	switch {
	case slices.Contains(lends, name):
		if k.mayBeNil && tellsNil(k.info, name, path[i].(*ast.CallExpr)) {
			return fmt.Sprintf("%s is passed to %s.%s, which tells nil from empty", v.Name(), fn.Pkg().Name(), fn.Name()), true
		}
		return k.relayed(fn, v.Name()), true
	case slices.Contains(wraps, name):
		return k.wrapped(path, i, v), true
	}
	recv, params := fn.Signature().Recv(), fn.Signature().Params().Len()
	if n, ok := borrowers[fn.Name()]; ok && recv != nil && (params == n || fn.Name() == "WriteTo" && params == 1) {
		if !standard(recv.Type()) {
			return "", false
		}
		return k.borrowed(fn, v.Name()), true
	}
	return "", false
}
