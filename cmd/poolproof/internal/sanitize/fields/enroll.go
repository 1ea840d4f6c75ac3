package fields

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// enrolls notes objects that give themselves to other code once in their life: below a
// condition on a field of the object that the same code then sets.
//
//	if !s.known { s.known = true; c.all = append(c.all, s) }
//
// Code that stores an object at each use takes it back before the Put; code that stores it once
// cannot. (A field that is set to false, 0 or nil elsewhere says that it does take it back.)
func (f *makers) enrolls(n *ast.IfStmt) {
	block := ast.Node(n.Body)
	if ends(n.Body) { // if s.known { return }
		block = f.rest(n)
	}
	if block == nil {
		return
	}
	for v, field := range f.asked(n.Cond) {
		if at := f.setsField(block, v, field); at != "" {
			f.enroll(v, block, at)
		}
	}
}

// enrolled is for objects that do so in a sync.Once of their own, which is a part of them.
func (f *makers) enrolled(call *ast.CallExpr) {
	fn := f.body.callee(call)
	if fn == nil || fn.FullName() != "(*sync.Once).Do" || len(call.Args) != 1 {
		return
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	if v := f.partOf(sel.X); v != nil {
		f.enroll(v, call.Args[0], "")
	}
}

// keyed notes objects that are the keys of a map of the package which is asked first whether it has
// them. (A map from which the program deletes gives them back.)
//
//	if !all[x] { all[x] = true }
func (f *makers) keyed(e ast.Expr) {
	at, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok {
		return
	}
	v, name := f.body.variable(at.Index), f.global(at.X)
	if v != nil && name != "" && is[*types.Pointer](v.Type()) && f.askedFirst(at) {
		f.enroll(v, at, name)
	}
}

// askedFirst reports whether an element of a map is set below a condition on itself.
func (f *makers) askedFirst(at *ast.IndexExpr) bool {
	text := types.ExprString(at)
	found := false
	for n := f.body.parents[at]; n != nil && !found; n = f.body.parents[n] {
		if cond, ok := n.(*ast.IfStmt); ok {
			ast.Inspect(cond, func(n ast.Node) bool {
				e, ok := n.(*ast.IndexExpr)
				found = found || ok && e != at && types.ExprString(e) == text
				return !found && n != ast.Node(cond.Body)
			})
		}
	}
	return found
}

// global is the name of a package variable, or of a field of one.
func (f *makers) global(e ast.Expr) string {
	if _, ok := under(f.body.typeOf(e)).(*types.Map); !ok {
		return ""
	}
	if v, _ := f.body.rootVar(e); v != nil && packageLevel(v) {
		return v.Pkg().Path() + "." + types.ExprString(e)
	}
	return ""
}

// partOf is the variable that an expression names a part of, which is in the memory that the
// variable points to; nil if it is behind another pointer.
func (f *makers) partOf(e ast.Expr) *types.Var {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			return f.body.variable(x)
		case *ast.SelectorExpr:
			if _, ok := ast.Unparen(x.X).(*ast.Ident); !ok && is[*types.Pointer](f.body.typeOf(x.X)) || is[*types.Pointer](f.body.typeOf(x)) {
				return nil
			}
			e = x.X
		default:
			return nil
		}
	}
}

func (f *makers) enroll(v *types.Var, block ast.Node, unless string) {
	maker := f.functionOf(block)
	if names := typeNames(v.Type()); maker == nil || len(names) == 0 || names[0] == "sync.Once" || !refers(v.Type()) {
		return
	}
	s := newSpread(f.body, maker)
	s.within = block
	s.uses(v)
	m := Maker{Types: typeNames(v.Type()), Spread: s.goes(), Unless: unless}
	if !m.Spread.empty() {
		f.note([]Maker{m}, nil)
	}
}

// functionOf is the function that declares the variables around a node: the outermost one.
func (f *makers) functionOf(n ast.Node) ast.Node {
	var found ast.Node
	for ; n != nil; n = f.body.parents[n] {
		switch n.(type) {
		case *ast.FuncLit:
			found = cmp.Or(found, n)
		case *ast.FuncDecl:
			return n
		}
	}
	return found
}

// asked returns the variables of whose fields a condition asks, with the field.
func (f *makers) asked(cond ast.Expr) map[*types.Var]string {
	all := map[*types.Var]string{}
	ast.Inspect(cond, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if v := f.body.variable(sel.X); v != nil && len(f.body.places(sel)) > 0 && isRef(v.Type()) {
				all[v] = sel.Sel.Name
			}
		}
		return true
	})
	return all
}

// setsField returns the name of a field of v if a node sets it.
func (f *makers) setsField(in ast.Node, v *types.Var, field string) (name string) {
	ast.Inspect(in, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		for _, left := range a.Lhs {
			sel, ok := ast.Unparen(left).(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != field || f.body.variable(sel.X) != v {
				continue
			}
			for _, p := range f.body.places(sel) {
				name = p.String()
			}
		}
		return true
	})
	return name
}

// emptied notes a map of the package from which a call takes keys.
func (f *makers) emptied(call *ast.CallExpr) {
	switch f.body.builtin(call) {
	case "delete", "clear":
		if name := f.global(call.Args[0]); name != "" {
			f.undo(name)
		}
	}
}

func (f *makers) undo(name string) {
	if !slices.Contains(f.facts.Undone, name) {
		f.facts.Undone = append(f.facts.Undone, name)
	}
}

// undone notes fields that are set to false, 0 or nil, and maps that are set to another one.
func (f *makers) undone(a *ast.AssignStmt) {
	if a.Tok != token.ASSIGN || len(a.Lhs) != len(a.Rhs) {
		return
	}
	for i, left := range a.Lhs {
		if name := f.global(left); name != "" {
			f.undo(name)
		}
		sel, ok := ast.Unparen(left).(*ast.SelectorExpr)
		if !ok {
			continue
		}
		tv := f.body.info.Types[a.Rhs[i]]
		if !tv.IsNil() && (tv.Value == nil || tv.Value.ExactString() != "false" && tv.Value.ExactString() != "0") {
			continue
		}
		for _, p := range f.body.places(sel) {
			f.undo(p.String())
		}
	}
}

// ends reports whether a block leaves the function or the loop.
func ends(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	switch b.List[len(b.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// rest is the block that an if stands in, as far as it comes after the if.
func (f *makers) rest(n *ast.IfStmt) ast.Node {
	b, ok := f.body.parents[n].(*ast.BlockStmt)
	if !ok {
		return nil
	}
	i := slices.Index(b.List, ast.Stmt(n))
	if i < 0 || i+1 == len(b.List) {
		return nil
	}
	rest := &ast.BlockStmt{Lbrace: n.End(), List: b.List[i+1:], Rbrace: b.Rbrace}
	f.body.parents[rest] = b
	return rest
}
