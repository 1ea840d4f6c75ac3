package reuse

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// local is a variable of a function, with the statement that declares it.
type local struct {
	v    *types.Var
	stmt ast.Stmt
	list []ast.Stmt     // in which the statement stands
	body *ast.BlockStmt // of the function
	loop ast.Stmt       // the outermost one around the statement; nil if there is none
}

// value returns the expression that the variable begins with; nil: it begins as zero.
func (l *local) value() ast.Expr {
	switch s := l.stmt.(type) {
	case *ast.AssignStmt:
		return ast.Unparen(s.Rhs[0])
	case *ast.DeclStmt:
		if values := s.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Values; len(values) > 0 {
			return ast.Unparen(values[0])
		}
	}
	return nil
}

// local is the variable that the value of the node becomes, or what else becomes of it.
func (a *allocation) local() (*local, string) {
	i := len(a.path) - 1
	for i > 0 {
		switch p := a.path[i-1].(type) {
		case *ast.ParenExpr:
			i--
			continue
		case *ast.UnaryExpr:
			if p.Op == token.AND {
				i--
				continue
			}
		}
		break
	}
	if i == 0 {
		return nil, "it stands outside of any function"
	}
	value, parent := a.path[i], a.path[i-1]
	switch p := parent.(type) {
	case *ast.AssignStmt:
		if p.Tok != token.DEFINE {
			return nil, "it is assigned to " + a.in.code(p.Lhs[0]) + ", which is declared elsewhere"
		}
		j := 0
		if len(p.Lhs) == len(p.Rhs) {
			j = slices.IndexFunc(p.Rhs, func(e ast.Expr) bool { return ast.Node(e) == value })
		}
		v, _ := a.in.info.Defs[p.Lhs[j].(*ast.Ident)].(*types.Var)
		switch {
		case v == nil:
			return nil, "it is assigned to " + a.in.code(p.Lhs[j]) + ", which is declared elsewhere"
		case len(p.Rhs) != 1:
			return nil, "several variables are declared there at once"
		}
		return declaring(v, a.path[:i])
	case *ast.ValueSpec:
		if len(p.Names) != 1 {
			return nil, "several variables are declared there at once"
		}
		v := a.in.info.Defs[p.Names[0]].(*types.Var)
		switch {
		case v.Name() == "_":
			return nil, "nothing uses it"
		case p.Type != nil && !types.Identical(v.Type(), a.in.info.TypeOf(value.(ast.Expr))):
			return nil, "it becomes a value of another type"
		}
		return declaring(v, a.path[:i-2])
	case *ast.ReturnStmt:
		return nil, "it is returned: the caller may keep it"
	case *ast.KeyValueExpr, *ast.CompositeLit:
		return nil, "it is stored in a literal, which may be kept"
	case *ast.SendStmt:
		return nil, "it is sent on a channel"
	case *ast.CallExpr:
		return nil, "it is an argument of " + a.in.code(p.Fun) + ": give it a name to have it used again"
	}
	return nil, "it is no variable of the function: give it a name to have it used again"
}

// declaring is the variable of a statement that a path ends with.
func declaring(v *types.Var, path []ast.Node) (*local, string) {
	stmt, ok := path[len(path)-1].(ast.Stmt)
	if !ok || len(path) < 2 {
		return nil, v.Name() + " is no variable of a function"
	}
	if d, ok := stmt.(*ast.DeclStmt); ok && len(d.Decl.(*ast.GenDecl).Specs) != 1 {
		return nil, "several variables are declared there at once"
	}
	list := syntax.List(path[len(path)-2])
	if !slices.Contains(list, stmt) {
		return nil, v.Name() + " is declared in the head of a statement"
	}
	_, body := functionAround(path)
	return &local{v, stmt, list, body, outermost(path)}, ""
}

// declared is the variable that the value of the node becomes, or that the node declares; nil if there is none.
func (a *allocation) declared() *types.Var {
	if id, ok := a.node.(*ast.Ident); ok {
		v, _ := a.in.info.Defs[id].(*types.Var)
		return v
	}
	if l, _ := a.local(); l != nil {
		return l.v
	}
	return nil
}

// find is the declaration of a variable in a function of the file.
func (a *source) find(v *types.Var) (*local, string) {
	path := declaration(a, v)
	if path == nil {
		return nil, v.Name() + " is declared in the head of a type switch"
	}
	switch p := path[len(path)-2].(type) {
	case *ast.AssignStmt:
		if len(p.Lhs) != 1 {
			return nil, "several variables are declared there at once"
		}
		return declaring(v, path[:len(path)-1])
	case *ast.ValueSpec:
		if len(p.Names) != 1 {
			return nil, "several variables are declared there at once"
		}
		return declaring(v, path[:len(path)-3])
	case *ast.RangeStmt:
		return nil, v.Name() + " is declared in the head of a loop"
	case *ast.Field:
		return nil, v.Name() + " is a parameter: ask about the line where the caller declares it"
	}
	return nil, v.Name() + " is no variable of a function"
}

// outermost is the outermost loop of its function around a path's end, with its label; nil if
// there is none.
func outermost(path []ast.Node) (loop ast.Stmt) {
	for len(path) > 0 {
		l, _ := loopAround(path)
		if l == nil {
			return loop
		}
		i := slices.IndexFunc(path, func(n ast.Node) bool { return n == ast.Node(l) })
		loop, path = l, path[:i]
		if i > 0 {
			if labeled, ok := path[i-1].(*ast.LabeledStmt); ok {
				loop = labeled
			}
		}
	}
	return loop
}

// before begins a variant in which what an iteration makes is kept in a variable of a type that
// is declared before the loop, or says why none can be.
func (a *allocation) before(l *local, e Evidence, typ string) (v *Variant, kept, why string) {
	if jumps(l.body) {
		return nil, "", "no hoist: the function has a goto, which must not jump over a declaration"
	}
	v, kept = a.begin(Hoist, e), a.in.free(l.v.Name()+"Kept")
	v.put(l.loop.Pos(), l.loop.Pos(), "var "+kept+" "+typ, "")
	return v, kept, ""
}

// jumps reports whether a function has a goto.
func jumps(body *ast.BlockStmt) bool {
	for n := range ast.Preorder(body) {
		if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.GOTO {
			return true
		}
	}
	return false
}

// named reports whether all that a type expression names is declared before a place, so that
// the expression means the same there.
func (a *source) named(e ast.Expr, before token.Pos) bool {
	for n := range ast.Preorder(e) {
		id, ok := n.(*ast.Ident)
		if !ok {
			continue
		}
		obj := a.info.Uses[id]
		if obj != nil && obj.Pkg() == a.pkg.Types && obj.Parent() != a.pkg.Types.Scope() && obj.Parent() != nil {
			if _, param := obj.Type().(*types.TypeParam); !param && obj.Pos() > before {
				return false
			}
		}
	}
	return true
}

// pure reports whether an expression does nothing but name a variable or a field of one.
func pure(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return pure(e.X)
	case *ast.StarExpr:
		return pure(e.X)
	}
	return false
}

// quiet reports whether a number can be evaluated fewer times, or none: it is put together of constants, variables,
// fields that no pointer leads to, and lengths of them.
func quiet(info *types.Info, e ast.Expr) bool {
	if info.Types[e].Value != nil {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		sel := info.Selections[e]
		return sel == nil || sel.Kind() == types.FieldVal && !sel.Indirect() && quiet(info, e.X)
	case *ast.CallExpr:
		b := builtinOf(info, e)
		return (b == "len" || b == "cap") && quiet(info, e.Args[0])
	case *ast.BinaryExpr:
		return (e.Op == token.ADD || e.Op == token.SUB || e.Op == token.MUL) && quiet(info, e.X) && quiet(info, e.Y)
	}
	return false
}

// afterPut is why there is no pool where something is deferred before.
const afterPut = "no pool: what is deferred before it runs after the Put, and may use it"

// deferredBefore reports whether a function defers something before a place: it runs after
// what is deferred there.
func deferredBefore(body ast.Node, at token.Pos) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			found = found || n.Pos() < at
		}
		return !found
	})
	return found
}

// limit is how many elements of a size are 1 MiB, or four times what is usual.
func limit(element, usual int64) string {
	const most = 1 << 20
	if element <= 1 && usual*4 <= most {
		return "1<<20"
	}
	return fmt.Sprint(max(1, max(most, 4*usual)/max(1, element)))
}

// clearing is the code that zeroes a slice, which an expression gives.
func (a *source) clearing(s, element string) string {
	if a.since(21) {
		return "clear(" + s + ")"
	}
	if s[0] == '*' {
		s = "(" + s + ")"
	}
	at, zero := a.free("at"), a.free("zero")
	return fmt.Sprintf("for %[2]s := range %[1]s { var %[3]s %[4]s; %[1]s[%[2]s] = %[3]s }", s, at, zero, element)
}
