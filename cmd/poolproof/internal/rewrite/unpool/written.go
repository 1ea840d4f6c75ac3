package unpool

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"regexp"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/rewrite/edit"
)

// plainOnly says why a pool cannot be taken out as one would write it.
func plainOnly(pool *Pool) string {
	if k := pool.uses[0].kind; k != kinds[0] {
		return "it is one of " + k.path
	}
	if len(pool.makers) > 1 {
		return fmt.Sprintf("%d functions make its objects", len(pool.makers))
	}
	for _, u := range pool.uses {
		if u.call == nil {
			return "its methods are used as values"
		}
	}
	for _, d := range pool.decls {
		if name := handed(d); name != "" {
			return "the variable " + name + ", to which a function hands it, would have no use"
		}
	}
	if len(pool.makers) == 0 {
		return withoutNew(pool)
	}
	m := pool.makers[0]
	s, why := substituteOf(m)
	if why != "" {
		return "New " + why
	}
	for _, u := range pool.uses {
		if !u.put {
			if why := s.fits(m, u); why != "" {
				return why
			}
		}
	}
	return ""
}

// handed is the name of a local variable that gets a pool from elsewhere; "" for others.
func handed(m mention) string {
	if m.v.IsField() || m.v.Parent() == m.pkg.Types.Scope() || parameter(m.path) {
		return ""
	}
	var values []ast.Expr
	switch p := m.path[len(m.path)-1].(type) {
	case *ast.AssignStmt:
		values = p.Rhs
	case *ast.ValueSpec:
		values = p.Values
	}
	for _, e := range values {
		if a, ok := e.(*ast.UnaryExpr); ok && a.Op == token.AND {
			e = a.X
		}
		if _, literal := e.(*ast.CompositeLit); !literal {
			return m.v.Name()
		}
	}
	return ""
}

// written takes a pool out as one would write it. Where a variable is left that only
// its Put had used, the Put becomes an assignment to the blank identifier.
func (p *Program) written(pool *Pool) (Edit, error) {
	keep := map[variable]bool{}
	for range 3 {
		w := &writer{Program: p, pool: pool, set: edit.New(p.fset, os.ReadFile), keep: keep, gone: map[ast.Stmt]bool{}}
		files, err := w.edit()
		if err != nil {
			return Edit{}, err
		}
		unused, err := p.finish(pool, files)
		if err != nil || len(unused) == 0 {
			return Edit{files}, err
		}
		for _, v := range unused {
			keep[v] = true
		}
	}
	return Edit{}, fmt.Errorf("%s: variables without a use are left", pool.Name)
}

// variable is one of a function.
type variable struct{ file, function, name string }

// writer makes one edit.
type writer struct {
	*Program
	pool *Pool
	set  *edit.Set
	keep map[variable]bool // what needs a use
	gone map[ast.Stmt]bool
	cut  []ast.Node
}

func (w *writer) edit() (map[string][]byte, error) {
	for _, u := range w.pool.uses {
		var err error
		switch {
		case u.put:
			err = w.put(u)
		case len(w.pool.makers) == 0:
			err = w.withoutGet(u)
		default:
			err = w.get(u)
		}
		if err != nil {
			return nil, err
		}
	}
	w.declaration()
	for _, n := range w.cut {
		if err := w.set.Cut(n.Pos(), n.End()); err != nil {
			return nil, err
		}
	}
	return w.set.Files()
}

// get puts what New does in the place of a Get.
func (w *writer) get(u use) error {
	m := w.pool.makers[0]
	sub, _ := substituteOf(m)
	text, at, path, err := sub.text(w.set, m, u)
	if err != nil {
		return err
	}
	w.set.Node(at, text)
	s, ok := parentOf(path).(*ast.AssignStmt)
	if !ok || !sub.blank() || len(s.Lhs) != 1 {
		return nil
	}
	list := listOf(u.path, s)
	if i := slices.Index(list, ast.Stmt(s)); i >= 0 && i+1 < len(list) {
		if id, ok := s.Lhs[0].(*ast.Ident); ok && empties(list[i+1], id, u.pkg.TypesInfo) {
			w.remove(list[i+1])
		}
	}
	return nil
}

// put removes a Put with the statements that only prepared it.
func (w *writer) put(u use) error {
	i := len(u.path) - 1
	s, ok := u.path[i].(ast.Stmt)
	if !ok {
		return fmt.Errorf("%v: a Put is no statement", w.at(u.call))
	}
	arg := u.call.Args[0]
	if name := rootName(arg); name == "" && !pure(arg) || w.keep[variable{w.at(s).Filename, functionOf(u.file, s.Pos()), name}] {
		w.gone[s] = true
		w.set.Replace(s.Pos(), arg.Pos(), "_ = ") // a Get may stand in arg
		w.set.Replace(arg.End(), s.End(), "")
		return nil
	}
	w.remove(s)
	list := listOf(u.path, s)
	if id, ok := arg.(*ast.Ident); ok && w.gets(u, id) {
		for j := slices.Index(list, s) - 1; j >= 0 && empties(list[j], id, u.pkg.TypesInfo); j-- {
			w.remove(list[j])
		}
	}
	w.emptied(u.path[:i])
	return nil
}

// gets reports whether the function that puts an object has got it, too, so that no other code
// sees whether the object is emptied.
func (w *writer) gets(put use, id *ast.Ident) bool {
	v := put.pkg.TypesInfo.ObjectOf(id)
	for _, u := range w.pool.uses {
		if !u.put && u.pkg == put.pkg && slices.Contains(received(u), v) {
			return true
		}
	}
	return false
}

// functionOf is the name of the function of a file that has a position in it.
func functionOf(file *ast.File, at token.Pos) string {
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Pos() <= at && at < fn.End() {
			return types.ExprString(fn.Name) + receiver(fn)
		}
	}
	return ""
}

func receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return ""
	}
	return " of " + types.ExprString(fn.Recv.List[0].Type)
}

// empties reports whether a statement does nothing but empty what a variable points
// to: v.Reset() of a buffer, or *v = T{}.
func empties(s ast.Stmt, v *ast.Ident, info *types.Info) bool {
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && info.ObjectOf(id) != nil && info.ObjectOf(id) == info.ObjectOf(v)
	}
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok != token.ASSIGN || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
			return false
		}
		star, ok := s.Lhs[0].(*ast.StarExpr)
		lit, empty := s.Rhs[0].(*ast.CompositeLit)
		return ok && empty && is(star.X) && len(lit.Elts) == 0
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok || len(call.Args) != 0 {
			return false
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Reset" || !is(sel.X) {
			return false
		}
		t := info.TypeOf(sel.X)
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		return resettable(t)
	}
	return false
}

// emptied removes the statements around removed ones of which nothing is left.
func (w *writer) emptied(path []ast.Node) {
	for i := len(path) - 1; i > 0; i-- {
		block, ok := path[i].(*ast.BlockStmt)
		if !ok || slices.ContainsFunc(block.List, func(s ast.Stmt) bool { return !w.gone[s] }) {
			return
		}
		switch outer := path[i-1].(type) {
		case *ast.IfStmt:
			if outer.Body != block || outer.Else != nil || outer.Init != nil || !pure(outer.Cond) || i >= 2 && !isBlock(path[i-2]) {
				return
			}
			w.remove(outer)
			i--
		case *ast.FuncLit: // defer func() { pool.Put(x) }()
			if i < 3 {
				return
			}
			call, ok := path[i-2].(*ast.CallExpr)
			if !ok || call.Fun != outer || len(call.Args) > 0 {
				return
			}
			s, ok := path[i-3].(*ast.DeferStmt)
			if !ok {
				return
			}
			w.remove(s)
			i -= 3
		default:
			return
		}
	}
}

func isBlock(n ast.Node) bool {
	_, ok := n.(*ast.BlockStmt)
	return ok
}

// remove takes a statement out.
func (w *writer) remove(s ast.Stmt) {
	if !w.gone[s] {
		w.gone[s] = true
		w.cut = append(w.cut, s)
	}
}

// declaration removes the variable of the pool, if all that its package says of it is
// gone and no other package can say anything.
func (w *writer) declaration() {
	if len(w.pool.decls) != 1 || w.pool.mentions != len(w.pool.uses) {
		return
	}
	m := w.pool.decls[0]
	if m.v.Exported() || m.v.IsField() || parameter(m.path) || named(m.pkg.IgnoredFiles, m.v.Name()) {
		return
	}
	n := len(m.path)
	switch p := m.path[n-1].(type) {
	case *ast.AssignStmt: // pool := sync.Pool{...}
		if len(p.Lhs) == 1 && p.Tok == token.DEFINE {
			w.remove(p)
		}
	case *ast.ValueSpec:
		decl := m.path[n-2].(*ast.GenDecl)
		switch {
		case len(p.Names) != 1:
		case len(decl.Specs) > 1:
			w.cut = append(w.cut, withDoc(p, p.Doc))
		default:
			if stmt, ok := m.path[n-3].(*ast.DeclStmt); ok {
				w.remove(stmt)
			} else {
				w.cut = append(w.cut, withDoc(decl, decl.Doc))
			}
		}
	}
}

// named reports whether one of the files, which another build has, names something so.
func named(files []string, name string) bool {
	word := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`)
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		return err == nil && word.Match(text)
	})
}

// span is a node with the comment above it.
type span struct {
	ast.Node
	from token.Pos
}

// Pos is where the comment begins.
func (s span) Pos() token.Pos { return s.from }

func withDoc(n ast.Node, doc *ast.CommentGroup) ast.Node {
	if doc == nil {
		return n
	}
	return span{n, doc.Pos()}
}

// listOf is the list of statements in which s stands.
func listOf(path []ast.Node, s ast.Stmt) []ast.Stmt {
	for _, n := range slices.Backward(path) {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		case *ast.CommClause:
			list = n.Body
		default:
			continue
		}
		if slices.Contains(list, s) {
			return list
		}
		return nil
	}
	return nil
}
