package reuse

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// appended gives the variants of an append.
func (a *allocation) appended(n *ast.CallExpr) ([]Variant, string) {
	if len(n.Args) < 2 {
		return nil, "an append of nothing does not allocate"
	}
	first := ast.Unparen(n.Args[0])
	switch first.(type) {
	case *ast.SliceExpr:
		return nil, a.in.code(first) + " is used again already; it grows until it has room for all"
	case *ast.CallExpr, *ast.CompositeLit:
		return nil, "a copy is made: append it to a slice that is there"
	}
	if !pure(first) {
		return nil, "what is appended to is no variable"
	}
	g := growth{a.in, a, n, nil, nil}
	assign, ok := a.path[len(a.path)-2].(*ast.AssignStmt)
	if ok && len(assign.Lhs) == 1 && len(assign.Rhs) == 1 && assign.Tok == token.ASSIGN && a.in.code(assign.Lhs[0]) == a.in.code(n.Args[0]) {
		g.assign = assign
	}
	if id, ok := first.(*ast.Ident); ok {
		if g.v, _ = a.in.info.Uses[id].(*types.Var); g.v == nil || g.v.Parent() == a.in.pkg.Types.Scope() {
			return nil, a.in.code(first) + " is a variable of the package: it grows once"
		}
		if exact := g.exact(); exact != nil {
			return []Variant{*exact}, ""
		}
	}
	return g.room()
}

// twice warns of a slice that is returned with room.
const twice = "two appends of a caller to one of them may write the same memory"

// growth is append(x, ...).
type growth struct {
	in     *source
	a      *allocation
	call   *ast.CallExpr
	assign *ast.AssignStmt // of the result to x again; nil: it goes elsewhere
	v      *types.Var      // nil: x is a field
}

// exact asks for the memory of all elements before the loop that appends one set of them in
// each iteration. The slice is no more nil from there on, and not from the first append: nothing
// may look between, nor when what comes between panics.
func (g growth) exact() *Variant {
	loop, body := loopAround(g.a.path)
	if g.assign == nil || g.call.Ellipsis.IsValid() || loop == nil {
		return nil
	}
	over := ranged(g.in, loop)
	nth := slices.Index(body.List, ast.Stmt(g.assign))
	remark := ""
	if over == "" || nth < 0 || slices.ContainsFunc(body.List[:nth], returns) || syntax.Names(g.in.info, g.v, body.List[:nth]...) || g.seen() {
		return nil
	}
	if after := body.List[nth+1:]; slices.ContainsFunc(after, returns) || syntax.Names(g.in.info, g.v, after...) || !g.steady(loop) {
		why, returned := g.shared()
		switch {
		case why != "":
			return nil // there is room that another header may use
		case returned:
			remark = twice
		}
	}
	list, from := g.begins()
	if list == nil {
		return nil
	}
	at := slices.IndexFunc(list, func(s ast.Stmt) bool {
		labeled, ok := s.(*ast.LabeledStmt)
		return s == loop || ok && labeled.Stmt == loop
	})
	if at < from || syntax.Names(g.in.info, g.v, list[from:at]...) {
		return nil
	}
	t := g.in.typeHere(g.v.Type())
	if t == "" {
		return nil
	}
	v := g.a.begin(Presize, Semantics)
	v.Remark = remark
	size := "len(" + over + ")"
	if n := len(g.call.Args) - 1; n > 1 {
		size = fmt.Sprintf("%d*%s", n, size)
	}
	v.put(list[at].Pos(), list[at].Pos(),
		fmt.Sprintf("if len(%s) > 0 {", over), fmt.Sprintf("%s = make(%s, 0, %s)", g.v.Name(), t, size), "}", "")
	return v
}

// seen reports whether anything may see that the slice begins otherwise: what is appended, the caller
// after a panic that is recovered from, a goto that jumps back, or a question for the room.
func (g growth) seen() bool {
	_, body := g.a.function()
	for n := range ast.Preorder(body) {
		switch n := n.(type) {
		case *ast.DeferStmt:
			if n.Pos() < g.call.Pos() && g.v.Kind() == types.ResultVar {
				return true
			}
		case *ast.CallExpr:
			if builtinOf(g.in.info, n) == "cap" && syntax.Names(g.in.info, g.v, n) {
				return true
			}
		}
	}
	return jumps(body) || syntax.Names(g.in.info, g.v, g.call.Args[1:]...)
}

// ranged is the slice, array, map or string whose length is the number of iterations; "" if
// that is not known before the loop.
func ranged(a *source, loop ast.Stmt) string {
	var over ast.Expr
	switch l := loop.(type) {
	case *ast.RangeStmt:
		over = l.X
	case *ast.ForStmt: // for i := 0; i < len(xs); i++
		init, ok1 := l.Init.(*ast.AssignStmt)
		cond, ok2 := l.Cond.(*ast.BinaryExpr)
		post, ok3 := l.Post.(*ast.IncDecStmt)
		if !ok1 || !ok2 || !ok3 || init.Tok != token.DEFINE || cond.Op != token.LSS || post.Tok != token.INC || len(init.Rhs) != 1 || a.code(init.Rhs[0]) != "0" {
			return ""
		}
		if i := variableOf(a.info, init.Lhs[0]); i == nil || variableOf(a.info, cond.X) != i || variableOf(a.info, post.X) != i {
			return ""
		}
		call, ok := ast.Unparen(cond.Y).(*ast.CallExpr)
		if !ok || builtinOf(a.info, call) != "len" {
			return ""
		}
		over = call.Args[0]
	}
	if over == nil || !pure(over) {
		return ""
	}
	switch syntax.Pointed(a.info.TypeOf(over)).Underlying().(type) {
	case *types.Slice, *types.Array, *types.Map:
		return a.code(over)
	}
	return ""
}

// steady reports whether a loop over a length has that many iterations: a map may have fewer elements
// meanwhile, and a counter, or what has the length, may be set.
func (g growth) steady(loop ast.Stmt) bool {
	counted, ok := loop.(*ast.ForStmt)
	if !ok {
		_, isMap := core(g.in.info, loop.(*ast.RangeStmt).X).(*types.Map)
		return !isMap
	}
	over, ok := ast.Unparen(ast.Unparen(counted.Cond.(*ast.BinaryExpr).Y).(*ast.CallExpr).Args[0]).(*ast.Ident)
	if !ok || variableOf(g.in.info, over).Parent() == g.in.pkg.Types.Scope() {
		return false
	}
	i, v := variableOf(g.in.info, counted.Init.(*ast.AssignStmt).Lhs[0]), variableOf(g.in.info, over)
	still := !syntax.Sets(g.in.info, counted.Body, i) && !syntax.Sets(g.in.info, counted.Body, v)
	_, body := g.a.function()
	ast.Inspect(body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit, *ast.UnaryExpr: // which may be called, or written through, in the loop
			still = still && !syntax.Sets(g.in.info, n, v)
		}
		return still
	})
	return still
}

// begins is the list of statements in which the slice begins empty, and from which one on it
// is known; nil if it does not.
func (g growth) begins() (list []ast.Stmt, from int) {
	if g.v.Kind() == types.ResultVar {
		fn, body := g.a.function()
		if body == nil || g.v.Parent() != g.in.info.Scopes[fn] {
			return nil, 0
		}
		return body.List, 0
	}
	l, why := g.in.find(g.v)
	if why != "" {
		return nil, 0
	}
	value := l.value()
	switch e := value.(type) {
	case nil:
	case *ast.CompositeLit:
		if len(e.Elts) > 0 {
			return nil, 0
		}
	case *ast.CallExpr:
		if builtinOf(g.in.info, e) != "make" || len(e.Args) != 2 || g.in.code(e.Args[1]) != "0" {
			return nil, 0
		}
	default:
		if !g.in.info.Types[value].IsNil() {
			return nil, 0
		}
	}
	return l.list, slices.Index(l.list, l.stmt) + 1
}

// calls reports whether an expression does anything that may change a variable, or may not be
// done twice.
func calls(info *types.Info, e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			found = found || !info.Types[n.Fun].IsType() && !slices.Contains([]string{"len", "cap", "min", "max"}, builtinOf(info, n))
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// room gives the slice, while it is empty, the room that others of its place needed.
func (g growth) room() ([]Variant, string) {
	why, returned := g.shared()
	if why != "" {
		return nil, "no presize: " + why
	}
	name := variableOf(g.in.info, g.call.Args[0]).Name()
	v := g.a.begin(PresizeGrowth, Semantics)
	t := g.in.info.TypeOf(g.call.Args[0])
	slice, params := v.typeText(t), ""
	switch {
	case slice == "" && !g.in.since(18):
		return nil, "its type has no name at package level, and the module's go version has no type parameters"
	case slice == "":
		slice, params = "S", "[S ~[]E, E any]"
	}
	if why := g.in.unnamed(t, slice, "s", "n", "more"); why != "" {
		return nil, why
	}
	stem := g.a.stem(name)
	room := g.in.free("room" + upper(stem))
	x, more := g.in.code(g.call.Args[0]), fmt.Sprint(len(g.call.Args)-1)
	if g.call.Ellipsis.IsValid() {
		more = fmt.Sprintf("len(%s)", g.in.code(g.call.Args[1]))
	}
	last := g.call.Args[len(g.call.Args)-1]
	switch {
	case !slices.ContainsFunc(g.call.Args[1:], func(e ast.Expr) bool { return calls(g.in.info, e) }): // nothing happens between the two evaluations of x, nor of what is appended
		v.put(g.call.Args[0].Pos(), g.call.Args[0].End(), fmt.Sprintf("%s(%s, %s)", room, x, more))
	case g.call.Ellipsis.IsValid():
		return nil, "all of a slice is appended that a call returns: give it a name"
	case len(g.call.Args) == 2 && typed(g.in.info, last) && slices.Contains(syntax.List(g.a.path[len(g.a.path)-3]), ast.Stmt(g.assign)):
		element := g.in.free(name + "Next")
		v.put(g.assign.Pos(), last.Pos(), "{", element+" := ")
		v.put(last.End(), g.assign.End(), "", fmt.Sprintf("%s = append(%s(%s, %s), %s)", x, room, x, more, element), "}")
	default:
		return nil, "what is appended is the result of a call, beside something else: give it a name"
	}
	v.Remark = "slices may hold more memory than they need"
	if returned {
		v.Remark += ", and " + twice
	}
	h := hint(v, g.in, stem, 8, max(1, 1<<20/elementSize(g.in.pkg, t)))
	v.code = fmt.Sprintf(`// %[1]s returns s, to which more elements are appended, with room for what it is likely to get where it has none.
func %[1]s%[2]s(s %[3]s, more int) %[3]s {
	if cap(s) == 0 && more > 0 {
		n := %[4]s()
		if %[5]s(more); n > more {
			return make(%[3]s, 0, n)
		}
		return s
	}
	if n := len(s) + more; int64(n) >= %[6]s.LoadInt64(&%[7]s) { // it is the longest
		%[5]s(n + n/8)
	}
	return s
}

`, room, params, slice, h.size, h.note, v.use("sync/atomic", "atomic"), h.most) + v.code
	return []Variant{*v}, ""
}

// typed reports whether an expression has its type by itself, as that of a variable.
func typed(info *types.Info, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		return builtinOf(info, e) == ""
	case *ast.UnaryExpr:
		return e.Op == token.ARROW || e.Op == token.AND
	case *ast.CompositeLit, *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr, *ast.TypeAssertExpr:
		return true
	}
	return false
}

// elementSize is the size of an element of a slice type in bytes, as far as it is known.
func elementSize(pkg *packages.Package, slice types.Type) int64 {
	if element := sliceOf(slice); element != nil && nameable(element) {
		return max(1, pkg.TypesSizes.Sizeof(element))
	}
	return 8 // a type parameter, for example
}
