package reuse

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// shared says why the memory of the slice may be written through two headers of it, or the room in
// it be asked for: where an append had to move the elements, and has room now, the program would see
// that. returned: code outside of the package may have the slice, and nothing in it does either.
func (g growth) shared() (why string, returned bool) {
	x := g.call.Args[0]
	v := variableOf(g.in.info, x)
	switch {
	case g.assign == nil:
		return "what is appended to " + g.in.code(x) + " goes elsewhere", false
	case v == nil:
		return g.in.code(x) + " is no variable", false
	}
	k := newKeeper(g.in)
	k.grows, k.returned = v, map[*ast.ReturnStmt]bool{}
	if v.IsField() {
		return g.sharedField(k, ast.Unparen(x).(*ast.SelectorExpr))
	}
	if v.Kind() == types.ParamVar || v.Kind() == types.RecvVar {
		return v.Name() + " is a parameter: the caller may append to the same memory", false
	}
	path := declaration(g.in, v)
	if path == nil {
		return v.Name() + " is declared in the head of a type switch", false
	}
	_, body := functionAround(path)
	if kept := k.keeps(v, body, slice); kept != nil {
		return k.say(kept), false
	}
	if returned = len(k.returned) > 0 || v.Kind() == types.ResultVar; !returned {
		return "", false
	}
	for _, n := range g.a.path {
		if decl, ok := n.(*ast.FuncDecl); ok {
			if file := g.in.folder.mentions(decl.Name.Name); file != "" {
				return "the caller gets it, and " + file + " may call it in another build", true
			}
		}
	}
	return g.appendedElsewhere(k, v.Type()), true
}

// sharedField says the same of a field, which all of the package may use.
func (g growth) sharedField(k *keeper, x *ast.SelectorExpr) (why string, returned bool) {
	owner := ownerOf(g.in.info, x)
	switch {
	case owner == nil:
		return g.in.code(x) + " is a field of no type that has a name, or of an embedded one", false
	case ofValue(g.in.info, x):
		return g.in.code(x) + " is a field of a value: a copy of it has the same memory", false
	case k.grows.Exported():
		return g.in.code(x) + " is a field that other packages may use", false
	}
	if file := k.folder.mentions(k.grows.Name()); file != "" {
		return g.in.code(x) + " is a field that " + file + " may use in another build", false
	}
	say := func(n ast.Node, text string) {
		if text != "" && why == "" {
			why = k.say(&refusal{n.Pos(), text})
		}
	}
	walk(g.in.pkg, func(path []ast.Node) {
		if sel, ok := path[len(path)-1].(*ast.SelectorExpr); ok {
			if v, ok := g.in.info.Uses[sel.Sel].(*types.Var); ok && v.Origin() == k.grows {
				say(sel, k.use(path, len(path)-1, slice, k.grows))
			}
		}
	})
	for _, n := range k.held {
		if k.written && k.regrows(n, map[*types.Func]bool{}) {
			say(n, fmt.Sprintf("a loop over %[1]s, or a call with it, may append to %[1]s and write it", k.grows.Name()))
		}
	}
	if why == "" {
		why = copied(k, owner)
	}
	return why, owner.Obj().Exported()
}

// walk visits each node of a package, with the path to it.
func walk(pkg *packages.Package, visit func(path []ast.Node)) {
	for _, f := range pkg.Syntax {
		syntax.Inspect(f, func(path []ast.Node) bool { visit(path); return true })
	}
}

// copied says where a value of a type may be copied, with the headers of all slices in it; "" if nowhere.
func copied(k *keeper, owner *types.Named) (why string) {
	walk(k.pkg, func(path []ast.Node) {
		n, text := path[len(path)-1], ""
		if id, ok := n.(*ast.Ident); ok && k.info.Uses[id] == owner.Obj() && !pointed(k.info, path) {
			text = "the type " + id.Name + " is a part of another, or passed as a value"
		}
		if e, ok := n.(ast.Expr); ok && k.info.Types[e].IsValue() && copies(path[len(path)-2]) {
			_, literal := n.(*ast.CompositeLit)
			if t, ok := types.Unalias(k.info.TypeOf(e)).(*types.Named); ok && !literal && t.Origin() == owner {
				text = "a " + owner.Obj().Name() + " is copied"
			}
		}
		if text != "" && why == "" {
			why = k.say(&refusal{n.Pos(), text})
		}
	})
	return why
}

// regrows reports whether a node may append to the field that grows: it does, or it calls a function of
// the package that does, or code that is not followed.
func (k *keeper) regrows(in ast.Node, seen map[*types.Func]bool) bool {
	found := false
	ast.Inspect(in, func(n ast.Node) bool {
		if loop, ok := n.(*ast.RangeStmt); ok {
			_, function := core(k.info, loop.X).(*types.Signature)
			_, call := ast.Unparen(loop.X).(*ast.CallExpr) // which is looked into
			found = found || function && !call
		}
		call, ok := n.(*ast.CallExpr)
		if !ok || found || k.info.Types[call.Fun].IsType() {
			return !found
		}
		if b := builtinOf(k.info, call); b != "" {
			found = b == "append" && variableOf(k.info, whole(call.Args[0])) == k.grows
			return !found
		}
		fn := calledFunc(k.info, call)
		if fn == nil {
			_, literal := ast.Unparen(call.Fun).(*ast.FuncLit) // which stands in the node
			found = !literal
			return !found
		}
		if fn = fn.Origin(); seen[fn] {
			return true
		}
		seen[fn] = true
		decl := syntax.Declaration(k.info, k.pkg.Syntax, fn)
		recv := fn.Signature().Recv()
		switch {
		case decl != nil && decl.Body != nil:
			found = k.regrows(decl.Body, seen)
		case fn.Pkg() == k.pkg.Types || recv != nil && types.IsInterface(recv.Type()):
			found = fn.FullName() != "(error).Error"
		default: // a function of another package calls what it is passed
			found = slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return k.called(e) })
		}
		return !found
	})
	return found
}

// called reports whether a function may call an argument, or methods of it that the package has.
func (k *keeper) called(e ast.Expr) bool {
	t := k.info.TypeOf(e)
	if _, ok := t.Underlying().(*types.Signature); ok {
		_, literal := ast.Unparen(e).(*ast.FuncLit) // which is looked into
		return !literal
	}
	if types.IsInterface(t) {
		return !errorType(t)
	}
	owner, ok := types.Unalias(syntax.Pointed(t)).(*types.Named)
	return ok && owner.Obj().Pkg() == k.pkg.Types && types.NewMethodSet(types.NewPointer(owner)).Len() > 0
}

// ownerOf is the type that has a field; nil where that has no name, or where another type embeds it.
func ownerOf(info *types.Info, x *ast.SelectorExpr) *types.Named {
	sel := info.Selections[x]
	if len(sel.Index()) > 1 {
		return nil
	}
	if n, ok := types.Unalias(syntax.Pointed(sel.Recv())).(*types.Named); ok {
		return n.Origin()
	}
	return nil
}

// pointed reports whether the name of a type that a path ends with makes one, or a pointer to one.
func pointed(info *types.Info, path []ast.Node) bool {
	for i := len(path) - 2; i > 0; i-- {
		switch p := path[i].(type) {
		case *ast.IndexExpr:
			if p.X != path[i+1] {
				return false
			}
		case *ast.IndexListExpr:
			if p.X != path[i+1] {
				return false
			}
		case *ast.CallExpr:
			return builtinOf(info, p) == "new"
		case *ast.StarExpr, *ast.CompositeLit, *ast.ValueSpec:
			return true
		default:
			return false
		}
	}
	return false
}
