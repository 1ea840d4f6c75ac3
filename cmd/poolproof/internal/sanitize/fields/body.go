package fields

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// body is a function as it stands: its variables, and what their values are.
type body struct {
	*typed
	node     ast.Node
	decl     *ast.FuncDecl // nil for variables
	fn       *types.Func   // that decl declares
	parents  map[ast.Node]ast.Node
	params   map[*types.Var]int
	results  []*types.Var // if they have names
	defs     map[*types.Var][]def
	assigned map[*types.Var]int
	zero     map[*types.Var]bool     // declared without a value
	literals map[*types.Var]bool     // parameters of function literals, and what a range sets
	ranged   map[*types.Var]ast.Expr // what a range goes over that sets it
	reads    map[*types.Var][]*ast.Ident
	checks   map[string]bool // paths of fields whose capacity a condition asks for
	rooms    map[string]bool // of fields of which a condition asks what room is left in them
	out      Func            // what callers are told
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
			return f.root(v)
		}
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
	case *ast.StarExpr, *ast.UnaryExpr, *ast.TypeAssertExpr:
		return f.path(operand(e))
	}
	return ""
}

// root is the path of a variable.
func (f *body) root(v *types.Var) string {
	if i, ok := f.params[v]; ok {
		return parameter(i)
	}
	return "v" + strconv.Itoa(int(v.Pos()))
}

// parameter is the path of a function's parameter.
func parameter(n int) string { return "p" + strconv.Itoa(n) }

// rooted reports whether a path begins at a value.
func rooted(path, root string) bool {
	rest, ok := strings.CutPrefix(path, root)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// operand is the expression that another one selects, indexes, slices or points from; nil if it is
// none of these.
func operand(e ast.Expr) ast.Expr {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		return e.X
	case *ast.IndexExpr:
		return e.X
	case *ast.StarExpr:
		return e.X
	case *ast.SliceExpr:
		return e.X
	case *ast.UnaryExpr:
		return e.X
	case *ast.TypeAssertExpr:
		return e.X
	}
	return nil
}

// rootOf returns the variable whose memory an expression denotes, whole if it is the variable
// itself.
func rootOf(e ast.Expr) (root *ast.Ident, whole bool) {
	for whole = true; e != nil; whole = false {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			return id, whole
		}
		e = operand(e)
	}
	return nil, false
}

// rootVar is the variable that rootOf finds; nil if there is none.
func (s *typed) rootVar(e ast.Expr) (v *types.Var, whole bool) {
	root, whole := rootOf(e)
	return s.variable(root), whole
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
	n, ok = f.params[f.variable(star.X)]
	return n, ok
}

// stable reports whether a base is one value all through the function.
func (f *body) stable(base string) bool {
	if base == "" {
		return false
	}
	for v, n := range f.assigned {
		if _, param := f.params[v]; !param && n <= 1 {
			continue
		}
		if rooted(base, f.root(v)) {
			return false
		}
	}
	return true
}

// packageLevel reports whether a variable is a package's.
func packageLevel(v *types.Var) bool { return v.Pkg() != nil && v.Parent() == v.Pkg().Scope() }

// elementAddressed reports whether the address of an element is taken.
func (f *body) elementAddressed(e ast.Expr) bool {
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
	v := f.variable(id)
	return v != nil && (packageLevel(v) || holdsSlices(v.Type()) && slices.ContainsFunc(f.reads[v], f.addressed))
}

// addressed reports whether the address of a variable, or of a part of it, is taken where it is read.
func (f *body) addressed(read *ast.Ident) bool {
	for n := ast.Expr(read); ; {
		switch p := f.parents[n].(type) {
		case *ast.ParenExpr:
			n = p
		case *ast.SelectorExpr:
			pointer := is[*types.Pointer](f.typeOf(p.X))
			if s := f.info.Selections[p]; s != nil && s.Kind() != types.FieldVal {
				return !pointer && ofPointer(s.Obj().(*types.Func))
			}
			if pointer {
				return false
			}
			n = p
		case *ast.IndexExpr:
			if p.X != n || !is[*types.Array](f.typeOf(n)) {
				return false
			}
			n = p
		case *ast.UnaryExpr:
			return p.Op == token.AND
		default:
			return false
		}
	}
}

// stored reports whether an expression is set, and not read.
func (f *body) stored(e ast.Expr) bool {
	a, ok := f.parents[e].(*ast.AssignStmt)
	return ok && slices.Contains(a.Lhs, e)
}

// around is the node that an expression stands in, parentheses aside.
func (f *body) around(n ast.Node) ast.Node {
	for {
		n = f.parents[n]
		if _, ok := n.(*ast.ParenExpr); !ok {
			return n
		}
	}
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

// ownStruct reports whether a local variable holds a struct that began empty or
// as a literal, and whose address no other code has: to copy it is to move it.
func (f *body) ownStruct(v *types.Var) bool {
	if _, param := f.params[v]; param || f.literals[v] || slices.ContainsFunc(f.reads[v], f.addressed) {
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
