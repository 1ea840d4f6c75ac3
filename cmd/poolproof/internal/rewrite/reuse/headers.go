package reuse

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
)

// shared says why the memory of the slice may be written through two headers of it, or the room in
// it be asked for: where an append had to move the elements, and has room now, the program would see
// that. returned: code outside of the package may have the slice, and nothing in it does either.
func (g growth) shared() (why string, returned bool) {
	x := g.call.Args[0]
	v := variableOf(g.info, x)
	switch {
	case g.assign == nil:
		return "what is appended to " + g.code(x) + " goes elsewhere", false
	case v == nil:
		return g.code(x) + " is no variable", false
	}
	k := &keeper{pkg: g.pkg, info: g.info, seen: map[*types.Var]bool{}, grows: v, returned: map[*ast.ReturnStmt]bool{}}
	if v.IsField() {
		return g.sharedField(k, ast.Unparen(x).(*ast.SelectorExpr))
	}
	if v.Kind() == types.ParamVar || v.Kind() == types.RecvVar {
		return v.Name() + " is a parameter: the caller may append to the same memory", false
	}
	path := pathTo(g.file, declarationOf(g.file, g.info, v))
	if path == nil {
		return v.Name() + " is declared elsewhere", false
	}
	_, body := functionAround(path)
	if body == nil {
		return v.Name() + " is no variable of a function", false
	}
	if kept := k.keeps(v, g.file, body, slice); kept != nil {
		return k.say(kept), false
	}
	if returned = len(k.returned) > 0 || v.Kind() == types.ResultVar; returned {
		why = g.appendedElsewhere(v.Type())
	}
	return why, returned
}

// sharedField says the same of a field, which all of the package may use.
func (g growth) sharedField(k *keeper, x *ast.SelectorExpr) (why string, returned bool) {
	owner := ownerOf(g.info.TypeOf(x.X))
	switch {
	case owner == nil || ofValue(g.info, x):
		return g.code(x) + " is a field of a value: a copy of it has the same memory", false
	case k.grows.Exported():
		return g.code(x) + " is a field that other packages may use", false
	}
	for _, f := range g.pkg.Syntax {
		var path []ast.Node
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil {
				path = path[:len(path)-1]
				return true
			}
			path = append(path, n)
			text := ""
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if v, ok := g.info.Uses[n.Sel].(*types.Var); ok && v.Origin() == k.grows {
					text = k.use(path, len(path)-1, slice, f, k.grows)
				}
			case *ast.Ident:
				if g.info.Uses[n] == owner.Obj() && !pointed(g.info, path) {
					text = "the type " + n.Name + " is a part of another, or passed as a value"
				}
			}
			if e, ok := n.(ast.Expr); ok && text == "" && g.info.Types[e].IsValue() && copies(path[len(path)-2]) {
				_, literal := n.(*ast.CompositeLit)
				if t, ok := types.Unalias(g.info.TypeOf(e)).(*types.Named); ok && !literal && t.Origin() == owner {
					text = "a " + owner.Obj().Name() + " is copied"
				}
			}
			if text != "" && why == "" {
				why = k.say(&refusal{n.Pos(), text})
			}
			return true
		})
	}
	return why, owner.Obj().Exported()
}

// ownerOf is the named type that a type is, or points to; nil for others.
func ownerOf(t types.Type) *types.Named {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
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

// appendedElsewhere says where in the package a slice of a type is appended to that another header
// may have, too, or asked for its room; "" if nowhere.
func (g growth) appendedElsewhere(t types.Type) (why string) {
	second := map[*types.Var]bool{} // variables that got the header of another one
	grown := map[*types.Var]token.Pos{}
	same := func(e ast.Expr) bool {
		is := g.info.TypeOf(e)
		return is != nil && types.Identical(is.Underlying(), t.Underlying())
	}
	say := func(at token.Pos, text string) {
		if p := g.pkg.Fset.PositionFor(at, false); why == "" {
			why = fmt.Sprintf("the caller gets it, and %s in %s:%d", text, filepath.Base(p.Filename), p.Line)
		}
	}
	header := func(to, from ast.Expr) {
		v := variableOf(g.info, to)
		if root, _ := rootOf(from); root != nil && v != nil && same(to) && back(g.info, to, from) != v && !g.info.Types[from].IsNil() {
			second[v] = true
		}
	}
	for _, f := range g.pkg.Syntax {
		results := map[ast.Expr]ast.Expr{} // of an append, where its result goes
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, l := range n.Lhs {
					if len(n.Lhs) == len(n.Rhs) {
						results[ast.Unparen(n.Rhs[i])] = l
						header(l, n.Rhs[i])
					}
				}
			case *ast.ValueSpec:
				for i, id := range n.Names {
					if len(n.Names) == len(n.Values) {
						header(id, n.Values[i])
					}
				}
			case *ast.KeyValueExpr:
				if _, ok := n.Key.(*ast.Ident); ok {
					header(n.Key, n.Value)
				}
			case *ast.RangeStmt:
				if n.Value != nil && same(n.Value) {
					if v := variableOf(g.info, n.Value); v != nil {
						second[v] = true
					}
				}
			case *ast.CallExpr:
				b := builtinOf(g.info, n)
				if len(n.Args) == 0 || b != "append" && b != "cap" || !same(n.Args[0]) {
					return true
				}
				root, _ := rootOf(n.Args[0])
				var v *types.Var // nil: another one gets the result
				if to := results[n]; to != nil {
					v = back(g.info, to, n.Args[0])
				}
				switch {
				case root == nil || g.info.Types[n.Args[0]].IsNil(): // a new one
				case b == "cap":
					say(n.Pos(), "the room of one of its type is asked for")
				case v == nil || v.Kind() == types.ParamVar || v.Kind() == types.RecvVar:
					say(n.Pos(), "one of its type is appended to that something else may have, too,")
				case v.IsField() && ofValue(g.info, n.Args[0]):
					say(n.Pos(), "one of its type is appended to in a value that may be a copy,")
				default:
					grown[v] = n.Pos()
				}
			}
			return true
		})
	}
	for _, v := range slices.SortedFunc(maps.Keys(grown), func(x, y *types.Var) int { return int(grown[x] - grown[y]) }) {
		if second[v] {
			say(grown[v], "one of its type is appended to that something else may have, too,")
		}
	}
	return why
}
