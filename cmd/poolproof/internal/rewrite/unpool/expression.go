package unpool

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/rewrite/edit"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// substitute stands in the place of a Get in the written form.
type substitute struct {
	expr ast.Expr // what New returns, and nothing else is in it; nil: New does more
	typ  types.Type
	zero bool           // expr is a new object that is empty
	body *ast.BlockStmt // of a literal that does more
	call *ast.Ident     // a function of the package that is New and does more
}

// substituteOf says what the only maker of a pool gives, or why it cannot stand
// elsewhere.
func substituteOf(m maker) (s substitute, why string) {
	if m.body == nil {
		return s, "is a function value"
	}
	if len(m.body.List) == 1 {
		if ret, ok := m.body.List[0].(*ast.ReturnStmt); ok && len(ret.Results) == 1 {
			s.expr, s.typ = ret.Results[0], m.pkg.TypesInfo.TypeOf(ret.Results[0])
			s.zero = empty(s.expr, m.pkg.TypesInfo)
			return s, closed(m, s.expr)
		}
	}
	if id, ok := ast.Unparen(m.value).(*ast.Ident); ok {
		s.call = id
		return s, closed(m, id)
	}
	if _, ok := ast.Unparen(m.value).(*ast.FuncLit); !ok {
		return s, "is a method"
	}
	s.body = m.body
	if s.typ = commonType(m); s.typ == nil {
		return s, "returns values of different types"
	}
	return s, closed(m, m.body)
}

// commonType is the type of all that a function literal returns; nil: there are several.
func commonType(m maker) (t types.Type) {
	same := true
	ast.Inspect(m.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) != 1 {
				same = false
				return false
			}
			got := m.pkg.TypesInfo.TypeOf(n.Results[0])
			if got == nil || types.IsInterface(got) || t != nil && !types.Identical(t, got) {
				same = false
			}
			t = got
		}
		return true
	})
	if !same {
		return nil
	}
	return t
}

// node returns the node that is moved.
func (s substitute) node() ast.Node {
	switch {
	case s.expr != nil:
		return s.expr
	case s.call != nil:
		return s.call
	}
	return s.body
}

// fits says why the substitute cannot stand where a Get is.
func (s substitute) fits(m maker, u use) string {
	if u.pkg.Types.Path() != m.pkg.Types.Path() {
		return "Get is called in another package than that of New"
	}
	if name := hidden(u, m, s.node()); name != "" {
		return fmt.Sprintf("%s means something else at a Get", name)
	}
	if why := m.held(u, s.node()); why != "" {
		return why
	}
	switch syntax.Parent(u.path).(type) {
	case *ast.DeferStmt, *ast.GoStmt:
		return "the call of a Get is deferred, or another goroutine's"
	}
	a, ok := syntax.Parent(u.path).(*ast.TypeAssertExpr)
	switch {
	case !ok, s.call != nil:
		return ""
	case a.Type == nil:
		return "the type of what Get returns is switched on"
	}
	want := commaOK(u.pkg.TypesInfo.TypeOf(a))
	if s.typ == nil || want == nil || !identical(s.typ, want) && (s.expr == nil || !types.IsInterface(want) || !types.AssignableTo(s.typ, want)) {
		return "Get is asserted to another type than that of what New returns"
	}
	return ""
}

// identical reports whether two types are the same by their names: a package with its
// tests is another one than without.
func identical(a, b types.Type) bool { return types.TypeString(a, nil) == types.TypeString(b, nil) }

// text is the source of the substitute at a Get, and how much of the source it replaces:
// the call of Get alone, or the type assertion around it.
func (s substitute) text(set *edit.Set, m maker, u use) (text string, at ast.Node, path []ast.Node) {
	at, path = u.call, u.path
	for len(path) > 0 {
		if _, ok := path[len(path)-1].(*ast.ParenExpr); !ok {
			break
		}
		at, path = path[len(path)-1], path[:len(path)-1]
	}
	code := m.code(set, u, s.node())
	if s.call != nil {
		return code + "()", at, path
	}
	a, asserted := syntax.Parent(path).(*ast.TypeAssertExpr)
	if !asserted {
		if s.body != nil {
			return "func() any " + code + "()", at, path
		}
		text = "any(" + code + ")"
		if _, alone := syntax.Parent(path).(*ast.ExprStmt); alone {
			text = "_ = " + code
		}
		return text, at, path
	}
	at, path = a, path[:len(path)-1]
	typ := set.Code(a.Type)
	want := u.pkg.TypesInfo.TypeOf(a)
	switch {
	case s.body != nil:
		text = "func() " + typ + " " + code + "()"
	case !identical(s.typ, commaOK(want)) || m.pkg.TypesInfo.Types[s.expr].Value != nil: // a constant has no type of its own
		text = "(" + typ + ")(" + code + ")"
	case needsParens(s.expr, at, path):
		text = "(" + code + ")"
	default:
		text = code
	}
	if _, two := want.(*types.Tuple); two {
		text += ", true"
	}
	return text, at, path
}

// closed says what an expression or a body of New needs that is not there at a Get:
// variables and type parameters of the function that New stands in.
func closed(m maker, n ast.Node) string {
	for id, obj := range m.names(n) {
		if t, ok := obj.(*types.TypeName); ok {
			if _, param := types.Unalias(t.Type()).(*types.TypeParam); param {
				return "uses the type parameter " + id.Name
			}
		}
		if _, imported := obj.(*types.PkgName); !imported && obj.Pkg() == m.pkg.Types && obj.Parent() != m.pkg.Types.Scope() {
			return "uses " + id.Name + ", which is not there at a Get"
		}
	}
	return ""
}

// hidden is a name of New that is something else at a Get, or nothing that an import would make of it.
func hidden(u use, m maker, n ast.Node) string {
	inner := u.pkg.Types.Scope().Innermost(u.call.Pos())
	if inner == nil {
		return ""
	}
	for id, obj := range m.names(n) {
		_, there := inner.LookupParent(id.Name, u.call.Pos())
		a, imported := there.(*types.PkgName)
		b, same := obj.(*types.PkgName)
		if there != obj && !(same && there == nil) && !(same && imported && a.Imported().Path() == b.Imported().Path()) {
			return id.Name
		}
	}
	return ""
}

// names ranges over the names below n that are looked up in a scope outside of n. Those behind a
// dot are none.
func (m maker) names(n ast.Node) iter.Seq2[*ast.Ident, types.Object] {
	return func(yield func(*ast.Ident, types.Object) bool) {
		selected := map[*ast.Ident]bool{}
		for x := range ast.Preorder(n) {
			if sel, ok := x.(*ast.SelectorExpr); ok {
				selected[sel.Sel] = true
			}
			id, _ := x.(*ast.Ident)
			obj := m.pkg.TypesInfo.Uses[id]
			if obj == nil || selected[id] || obj == m.holder || obj.Parent() == nil || obj.Pos() >= n.Pos() && obj.Pos() < n.End() {
				continue
			}
			if !yield(id, obj) {
				return
			}
		}
	}
}

// commaOK is the first type of a pair, or the type itself.
func commaOK(t types.Type) types.Type {
	if pair, ok := t.(*types.Tuple); ok && pair.Len() == 2 {
		return pair.At(0).Type()
	}
	return t
}

// needsParens reports whether an expression needs parentheses where a node stands at the end of a path.
func needsParens(e ast.Expr, at ast.Node, path []ast.Node) bool {
	switch e.(type) {
	case *ast.CallExpr, *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.ParenExpr:
		return false
	}
	switch p := path[len(path)-1].(type) {
	case *ast.ParenExpr, *ast.ReturnStmt, *ast.ValueSpec, *ast.KeyValueExpr, *ast.CompositeLit:
		return false
	case *ast.AssignStmt:
		return len(path) > 1 && heads(path[len(path)-2], p)
	case *ast.CallExpr:
		return p.Fun == at
	case *ast.IndexExpr:
		return p.X == at
	}
	return true
}

// heads reports whether a statement stands in the head of another one, where a
// composite literal would be taken for the body.
func heads(outer ast.Node, s ast.Stmt) bool {
	switch outer := outer.(type) {
	case *ast.IfStmt:
		return outer.Init == s
	case *ast.ForStmt:
		return outer.Init == s || outer.Post == s
	case *ast.SwitchStmt:
		return outer.Init == s
	case *ast.TypeSwitchStmt:
		return outer.Init == s
	}
	return false
}

// blank reports whether a substitute is a buffer that needs no Reset.
func (s substitute) blank() bool {
	p, ok := s.typ.(*types.Pointer)
	return ok && s.zero && syntax.Buffer(p) != ""
}

// empty reports whether an expression is &T{} or new(T).
func empty(e ast.Expr, info *types.Info) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		lit, ok := e.X.(*ast.CompositeLit)
		return ok && len(lit.Elts) == 0
	case *ast.CallExpr:
		return info.Types[e.Fun].IsBuiltin() && len(e.Args) == 1 && info.Types[e.Args[0]].IsType() // new(x) has what x has
	}
	return false
}

// held says why the holder in New cannot become what stands for it at a Get.
func (m maker) held(u use, n ast.Node) string {
	if !m.holds(n) {
		return ""
	}
	if _, pointer := u.pkg.TypesInfo.TypeOf(u.sel.X).Underlying().(*types.Pointer); pointer {
		return "New uses " + m.holder.Name() + ", which may share its pool with others"
	}
	at := m.atGet(u)
	if at == nil {
		return "New uses " + m.holder.Name() + ", which has no name at a Get"
	}
	root := rootName(at)
	shadowed := root == ""
	for x := range ast.Preorder(n) {
		switch x := x.(type) {
		case *ast.FuncLit:
			if m.holds(x) {
				return "a function in New uses " + m.holder.Name() + ", which may be something else when it is called"
			}
		case *ast.Ident:
			shadowed = shadowed || x.Name == root && root != m.holder.Name() && m.pkg.TypesInfo.Defs[x] != nil
		}
	}
	if shadowed {
		return "New declares " + root + ", which is something else at a Get"
	}
	return ""
}

// atGet is the expression that stands for the holder at a Get: e of e.pool.Get(). nil: the pool is
// named in another way there.
func (m maker) atGet(u use) ast.Expr {
	sel, ok := ast.Unparen(u.sel.X).(*ast.SelectorExpr)
	if !ok || !pure(sel.X) || !identical(u.pkg.TypesInfo.TypeOf(sel.X), m.holder.Type()) {
		return nil
	}
	return sel.X
}

// holds reports whether the holder stands below n.
func (m maker) holds(n ast.Node) bool {
	return m.holder != nil && syntax.Names(m.pkg.TypesInfo, m.holder, n)
}

// code is the source of a node of New as it stands at a Get, with what the holder is there.
func (m maker) code(set *edit.Set, u use, n ast.Node) string {
	text := set.Code(n)
	if !m.holds(n) || text == "" {
		return text
	}
	at := set.Code(m.atGet(u))
	var b strings.Builder
	last := 0
	ast.Inspect(n, func(x ast.Node) bool {
		if id, ok := x.(*ast.Ident); ok && m.pkg.TypesInfo.Uses[id] == m.holder {
			from := int(id.Pos() - n.Pos())
			b.WriteString(text[last:from] + at)
			last = from + len(id.Name)
		}
		return true
	})
	return b.String() + text[last:]
}

// rootName is the variable that a pure expression begins with; "" for others.
func rootName(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e.Name
	case *ast.UnaryExpr:
		return rootName(e.X)
	case *ast.StarExpr:
		return rootName(e.X)
	case *ast.SelectorExpr:
		return rootName(e.X)
	case *ast.SliceExpr:
		if pure(e) {
			return rootName(e.X)
		}
	}
	return ""
}

// pure reports whether an expression does nothing but give a value.
func pure(e ast.Expr) bool {
	for n := range ast.Preorder(e) {
		ok := true
		switch n := n.(type) {
		case *ast.CallExpr:
			switch fun := n.Fun.(type) {
			case *ast.Ident:
				ok = fun.Name == "cap" || fun.Name == "len"
			case *ast.SelectorExpr:
				ok = (fun.Sel.Name == "Cap" || fun.Sel.Name == "Len") && len(n.Args) == 0
			default:
				ok = false
			}
		case *ast.FuncLit:
			ok = false
		case *ast.UnaryExpr:
			ok = n.Op != token.ARROW
		}
		if !ok {
			return false
		}
	}
	return true
}
