package fields

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
)

// body is a function as it stands: its variables, and what their values are.
type body struct {
	*typed
	node     ast.Node
	decl     *ast.FuncDecl // nil for variables
	parents  map[ast.Node]ast.Node
	params   map[*types.Var]int
	results  []*types.Var // if they have names
	defs     map[*types.Var][]def
	assigned map[*types.Var]int
	zero     map[*types.Var]bool // declared without a value
	literals map[*types.Var]bool // parameters of function literals, and what a range or a type switch sets
	checks   map[string]bool     // paths of fields whose capacity a condition asks for
	rooms    map[string]bool     // of fields of which a condition asks what room is left in them
	out      Func                // what callers are told
}

func newBody(t *typed, node ast.Node, decl *ast.FuncDecl) *body {
	b := &body{
		typed: t, node: node, decl: decl,
		parents: map[ast.Node]ast.Node{}, params: map[*types.Var]int{}, defs: map[*types.Var][]def{},
		assigned: map[*types.Var]int{}, zero: map[*types.Var]bool{}, literals: map[*types.Var]bool{},
		checks: map[string]bool{}, rooms: map[string]bool{},
	}
	b.signature()
	b.gather()
	return b
}

// def is a value that a variable is set to: result i of a call where i >= 0.
type def struct {
	value ast.Expr
	i     int
}

// path names the value that an expression denotes within its function: a
// variable, a field of one, an element at a known place; "" for anything else.
func (f *body) path(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := f.objectOf(e).(*types.Var); ok {
			if i, ok := f.params[v]; ok {
				return "p" + strconv.Itoa(i)
			}
			return "v" + strconv.Itoa(int(v.Pos()))
		}
	case *ast.StarExpr:
		return f.path(e.X)
	case *ast.UnaryExpr:
		return f.path(e.X)
	case *ast.SelectorExpr:
		if s := f.info.Selections[e]; s != nil && s.Kind() == types.FieldVal {
			if base := f.path(e.X); base != "" {
				return base + "." + e.Sel.Name
			}
		} else if v, ok := f.info.Uses[e.Sel].(*types.Var); ok && s == nil {
			return "g" + v.Name()
		}
	case *ast.IndexExpr:
		if base := f.path(e.X); base != "" {
			return base + "[" + types.ExprString(e.Index) + "]"
		}
	case *ast.TypeAssertExpr:
		return f.path(e.X)
	}
	return ""
}

// base is the path of the value whose field an expression selects; the rows of a field are one
// with each other.
func (f *body) base(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		return f.path(e.X)
	case *ast.IndexExpr:
		return f.base(e.X)
	}
	return ""
}

// pointer returns which parameter a store through a pointer is of.
func (f *body) pointer(left ast.Expr) (n int, ok bool) {
	star, ok := left.(*ast.StarExpr)
	if !ok {
		return 0, false
	}
	id, ok := ast.Unparen(star.X).(*ast.Ident)
	if !ok {
		return 0, false
	}
	v, ok := f.objectOf(id).(*types.Var)
	if !ok {
		return 0, false
	}
	n, ok = f.params[v]
	return n, ok
}

// stable reports whether a base is one value all through the function.
func (f *body) stable(base string) bool {
	if base == "" {
		return false
	}
	for v, n := range f.assigned {
		_, param := f.params[v]
		if !param && n <= 1 || n == 0 {
			continue
		}
		root := "v" + itoa(int(v.Pos()))
		if i, ok := f.params[v]; ok {
			root = "p" + itoa(i)
		}
		if base == root || len(base) > len(root) && base[:len(root)] == root && (base[len(root)] == '.' || base[len(root)] == '[') {
			return false
		}
	}
	return true
}

// addressed reports whether the address of an element is taken.
func (f *body) addressed(e ast.Expr) bool {
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

// escapesByAddress reports whether the address of a variable is taken, by & or by
// the call of a method of its pointer.
func (f *body) escapesByAddress(id *ast.Ident) bool {
	v, ok := f.objectOf(id).(*types.Var)
	if !ok {
		return false
	}
	if v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
		return true
	}
	return holdsSlices(v.Type()) && f.addressTaken(v, true)
}

func (f *body) addressTaken(v *types.Var, methods bool) bool {
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
			found = found || ofPointer(s.Obj().(*types.Func)) && !is[*types.Pointer](f.typeOf(n.X)) && f.rootedIn(n.X, v)
		}
		return !found
	})
	return found
}

// rootedIn reports whether an expression is a variable or a part of it.
func (f *body) rootedIn(e ast.Expr, v *types.Var) bool {
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

// stored reports whether an expression is set, and not read.
func (f *body) stored(e ast.Expr) bool {
	a, ok := f.parents[e].(*ast.AssignStmt)
	return ok && slices.Contains(a.Lhs, e)
}

// inner is the innermost function that a node stands in.
func (f *body) inner(n ast.Node) ast.Node {
	for n = f.parents[n]; n != nil; n = f.parents[n] {
		switch n.(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return n
		}
	}
	return nil
}

// makesRef reports whether an expression makes what it refers to.
func (f *body) makesRef(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.UnaryExpr:
		_, ok := ast.Unparen(e.X).(*ast.CompositeLit)
		return ok && e.Op == token.AND
	case *ast.CompositeLit:
		_, ok := under(f.typeOf(e)).(*types.Map)
		return ok
	}
	return false
}

// qualified reports whether a selector names something of a package.
func (f *body) qualified(sel *ast.SelectorExpr) bool {
	id, ok := sel.X.(*ast.Ident)
	if !ok {
		return false
	}
	_, ok = f.info.Uses[id].(*types.PkgName)
	return ok
}

// ownStruct reports whether a local variable holds a struct that began empty or
// as a literal, and whose address no other code has: to copy it is to move it.
func (f *body) ownStruct(v *types.Var) bool {
	if _, param := f.params[v]; param || f.literals[v] || f.addressTaken(v, true) {
		return false
	}
	if len(f.defs[v]) == 0 {
		return f.zero[v]
	}
	for _, d := range f.defs[v] {
		switch ast.Unparen(d.value).(type) {
		case *ast.CompositeLit, *ast.CallExpr:
		default:
			return false
		}
	}
	return true
}

// nested returns the names of a field of a struct without a name, which a literal in
// a literal sets.
func (f *body) nested(lit *ast.CompositeLit, name string) []place {
	kv, ok := f.parents[lit].(*ast.KeyValueExpr)
	if !ok {
		if a, ok := f.parents[lit].(*ast.AssignStmt); ok && len(a.Lhs) == 1 {
			around := f.places(a.Lhs[0])
			for i := range around {
				around[i].path += "." + name
			}
			return around
		}
		return nil
	}
	outer, ok := f.parents[kv].(*ast.CompositeLit)
	id, isName := kv.Key.(*ast.Ident)
	if !ok || !isName {
		return nil
	}
	if named, ok := types.Unalias(f.typeOf(outer)).(*types.Named); ok {
		return []place{{named.Origin(), "." + id.Name + "." + name}}
	}
	return nil
}

// renewed is the value that a literal replaces: x of *x = T{...}. Else it is a new
// one, named after the place of the literal.
func (f *body) renewed(lit *ast.CompositeLit) string {
	if a, ok := f.parents[lit].(*ast.AssignStmt); ok && len(a.Lhs) == len(a.Rhs) {
		if i := slices.Index(a.Rhs, ast.Expr(lit)); i >= 0 {
			return f.path(a.Lhs[i])
		}
	}
	return "new " + f.at(lit)
}

func itoa(n int) string { return strconv.Itoa(n) }
