// Package syntax answers questions about Go's syntax trees that the analysis and the
// rewriting both have.
package syntax

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Inspect visits the nodes of a tree, each with the path to it, which ends with the node.
// visit reports whether to go on below.
func Inspect(tree ast.Node, visit func(path []ast.Node) bool) {
	ast.PreorderStack(tree, nil, func(n ast.Node, above []ast.Node) bool { return visit(append(above, n)) })
}

// Parent is the last node of a path that is no parenthesis; nil if there is none.
func Parent(path []ast.Node) ast.Node {
	for _, n := range slices.Backward(path) {
		if _, ok := n.(*ast.ParenExpr); !ok {
			return n
		}
	}
	return nil
}

// List is the list of statements that a node has.
func List(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// Parameter reports whether a name that is declared at the end of a path is one of a
// function's parameters, results or receivers.
func Parameter(path []ast.Node) bool {
	for _, n := range slices.Backward(path) {
		switch n.(type) {
		case *ast.FuncType, *ast.FuncDecl:
			return true
		case *ast.StructType, *ast.ValueSpec, ast.Stmt:
			return false
		}
	}
	return false
}

// Names reports whether one of some nodes names an object.
func Names[N ast.Node](info *types.Info, obj types.Object, in ...N) bool {
	for _, n := range in {
		for x := range ast.Preorder(n) {
			if id, ok := x.(*ast.Ident); ok && info.Uses[id] == obj {
				return true
			}
		}
	}
	return false
}

// Sets reports whether a node gives a variable another value, or takes its address.
func Sets(info *types.Info, in ast.Node, v *types.Var) bool {
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && info.Uses[id] == v
	}
	found := false
	for n := range ast.Preorder(in) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			found = found || slices.ContainsFunc(n.Lhs, is)
		case *ast.IncDecStmt:
			found = found || is(n.X)
		case *ast.RangeStmt:
			found = found || is(n.Key) || is(n.Value)
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && is(n.X)
		}
	}
	return found
}

// Whole strips an expression of what selects a part of its value: indices, & and *.
func Whole(e ast.Expr) ast.Expr {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.UnaryExpr:
			if x.Op != token.AND {
				return e
			}
			e = x.X
		default:
			return e
		}
	}
}

// Variable is the variable or field that an expression names, or a part of whose value it is;
// nil for others.
func Variable(info *types.Info, e ast.Expr) (v *types.Var) {
	switch e := Whole(e).(type) {
	case *ast.Ident:
		v, _ = info.ObjectOf(e).(*types.Var)
	case *ast.SelectorExpr:
		v, _ = info.ObjectOf(e.Sel).(*types.Var)
	}
	return v
}

// Field is the field of a struct literal that an element of it is for; nil if the literal is
// not a struct's.
func Field(info *types.Info, lit *ast.CompositeLit, element ast.Node) *types.Var {
	t := info.TypeOf(lit)
	if t == nil {
		return nil
	}
	st, ok := Pointed(t).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	if kv, ok := element.(*ast.KeyValueExpr); ok {
		id, ok := kv.Key.(*ast.Ident)
		if !ok {
			return nil
		}
		v, _ := info.Uses[id].(*types.Var)
		return v
	}
	if i := slices.IndexFunc(lit.Elts, func(e ast.Expr) bool { return e == element }); i >= 0 && i < st.NumFields() {
		return st.Field(i).Origin()
	}
	return nil
}

// Pointed is what a type points to, or the type itself.
func Pointed(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// Holds reports whether a type passes a test, or that of the elements of a set, over all
// depths: arrays, slices and maps are sets, and what is pointed to counts where pointers do.
func Holds(t types.Type, pointers bool, is func(types.Type) bool) bool {
	switch u := types.Unalias(t).(type) {
	case *types.Array:
		return Holds(u.Elem(), pointers, is)
	case *types.Slice:
		return Holds(u.Elem(), pointers, is)
	case *types.Map:
		return Holds(u.Elem(), pointers, is)
	case *types.Pointer:
		return pointers && Holds(u.Elem(), pointers, is)
	}
	return is(t)
}

// Owner is the type of a package that has a field, and has a name; nil if there is none.
func Owner(field *types.Var) *types.TypeName {
	if field.Pkg() == nil {
		return nil
	}
	scope := field.Pkg().Scope()
	for _, name := range scope.Names() {
		typ, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || typ.IsAlias() {
			continue
		}
		if st, ok := typ.Type().Underlying().(*types.Struct); ok {
			for f := range st.Fields() {
				if f.Origin() == field.Origin() {
					return typ
				}
			}
		}
	}
	return nil
}

// Name is the name of a variable; a field has that of its type before it: conn.buffers.
func Name(v *types.Var) string {
	if v.IsField() {
		if owner := Owner(v); owner != nil {
			return owner.Name() + "." + v.Name()
		}
	}
	return v.Name()
}

// Declaration is that of a function in some files; nil if it is in none of them.
func Declaration(info *types.Info, files []*ast.File, fn *types.Func) *ast.FuncDecl {
	for _, f := range files {
		if fn.Pos() < f.FileStart || f.FileEnd < fn.Pos() {
			continue
		}
		for _, d := range f.Decls {
			if decl, ok := d.(*ast.FuncDecl); ok && info.Defs[decl.Name] == fn.Origin() {
				return decl
			}
		}
	}
	return nil
}

// Body is that of a function that an expression is: a literal, or one that some files declare;
// nil for others.
func Body(info *types.Info, files []*ast.File, e ast.Expr) *ast.BlockStmt {
	var name *ast.Ident
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		return e.Body
	case *ast.Ident:
		name = e
	case *ast.SelectorExpr:
		name = e.Sel
	}
	if fn, ok := info.Uses[name].(*types.Func); ok {
		if decl := Declaration(info, files, fn); decl != nil {
			return decl.Body
		}
	}
	return nil
}
