package unpool

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/rewrite/edit"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// written takes a pool out as one would write it. Where a variable is left that only
// its Put had used, the Put becomes an assignment to the blank identifier.
func (p *program) written(pool *Pool) (map[string][]byte, error) {
	keep := map[variable]bool{}
	for range 3 {
		w := &writer{p: p, pool: pool, set: edit.New(p.fset), keep: keep, gone: map[ast.Stmt]bool{}}
		files, err := w.edit()
		if err != nil {
			return nil, err
		}
		unused, err := p.finish(pool, files)
		if err != nil || len(unused) == 0 {
			return files, err
		}
		for _, v := range unused {
			keep[v] = true
		}
	}
	var left []string
	for v := range keep {
		left = append(left, v.name)
	}
	slices.Sort(left)
	return nil, fmt.Errorf("%s has no form that one would write: nothing would use %s", pool.Name, strings.Join(slices.Compact(left), ", "))
}

// writer makes one edit.
type writer struct {
	p    *program
	pool *Pool
	set  *edit.Set
	keep map[variable]bool // what needs a use
	gone map[ast.Stmt]bool
	cut  []part
}

// part is a piece of a file that is taken out. Uses of variables stand in its place, then end.
type part struct {
	from, to token.Pos
	uses     []ast.Node // where variables are named that need a use, and that are declared elsewhere
	end      string
}

func (w *writer) edit() (map[string][]byte, error) {
	for _, u := range w.pool.uses {
		switch {
		case u.put:
			if err := w.put(u); err != nil {
				return nil, err
			}
		case len(w.pool.makers) == 0:
			w.withoutGet(u)
		default:
			w.get(u)
		}
	}
	w.declaration()
	for _, p := range w.cut {
		if left := w.left(p); len(left) > 0 {
			w.set.Swap(p.from, p.to, strings.Repeat("_, ", len(left)-1)+"_ = "+strings.Join(left, ", ")+p.end)
		} else {
			w.set.Cut(p.from, p.to)
		}
	}
	return w.set.Files()
}

// left are the variables that a part uses, and that nothing else does.
func (w *writer) left(p part) (all []string) {
	for _, u := range w.pool.uses {
		if p.from < u.file.FileStart || u.file.FileEnd <= p.from {
			continue
		}
		file, function := w.p.at(u.file).Filename, functionOf(u.file, p.from)
		for _, n := range p.uses {
			ast.Inspect(n, func(x ast.Node) bool {
				id, ok := x.(*ast.Ident)
				if !ok || !w.keep[variable{file, function, id.Name}] || slices.Contains(all, id.Name) {
					return true
				}
				v, ok := u.pkg.TypesInfo.Uses[id].(*types.Var)
				if ok && !v.IsField() && !slices.ContainsFunc(p.uses, func(n ast.Node) bool { return n.Pos() <= v.Pos() && v.Pos() < n.End() }) {
					all = append(all, id.Name)
				}
				return true
			})
		}
		break
	}
	return all
}

// withoutGet leaves what runs when a Get finds nothing.
func (w *writer) withoutGet(u use) {
	if s := found(u); s != nil && s.Else != nil {
		w.cut = append(w.cut, part{from: s.Pos(), to: s.Else.Pos(), uses: []ast.Node{s.Init, s.Cond, s.Body}, end: "\n"})
		return
	} else if s != nil {
		w.remove(s)
		return
	}
	if s := made(u); s != nil {
		w.make(u, s)
		return
	}
	list, miss := missed(u)
	gone := []ast.Node{list[0], miss.Cond}
	for _, s := range list[2:] {
		gone = append(gone, s)
	}
	w.cut = append(w.cut, part{from: list[0].Pos(), to: miss.Body.List[0].Pos(), uses: gone, end: "\n"},
		part{from: miss.Body.List[len(miss.Body.List)-1].End(), to: list[len(list)-1].End()})
}

// make leaves the object that is made where a Get finds none.
func (w *writer) make(u use, s *ast.IfStmt) {
	a := s.Body.List[0].(*ast.AssignStmt)
	object := w.set.Code(a.Rhs[0])
	name := a.Lhs[0].(*ast.Ident)
	text := name.Name + " := " + object
	if v := u.pkg.TypesInfo.TypeOf(name); !types.Identical(v, u.pkg.TypesInfo.TypeOf(a.Rhs[0])) { // of an interface
		typ := "any"
		if asserted, ok := syntax.Parent(u.path).(*ast.TypeAssertExpr); ok {
			typ = w.set.Code(asserted.Type)
		}
		text = "var " + name.Name + " " + typ + " = " + object
	}
	w.set.Replace(u.path[statement(u)].Pos(), s.End(), text)
}

// get puts what New does in the place of a Get.
func (w *writer) get(u use) {
	m := w.pool.makers[0]
	sub, _ := substituteOf(m)
	text, at, path := sub.text(w.set, m, u)
	w.set.Node(at, text)
	s, ok := syntax.Parent(path).(*ast.AssignStmt)
	if !ok || !sub.blank() || len(s.Lhs) != 1 {
		return
	}
	list := listOf(u.path, s)
	if i := slices.Index(list, ast.Stmt(s)); i >= 0 && i+1 < len(list) {
		if id, ok := s.Lhs[0].(*ast.Ident); ok && empties(list[i+1], id, u.pkg.TypesInfo) {
			w.remove(list[i+1])
		}
	}
}

// put removes a Put with the statements that only prepared it.
func (w *writer) put(u use) error {
	i := len(u.path) - 1
	s, ok := u.path[i].(ast.Stmt)
	if !ok {
		return fmt.Errorf("%v: a Put is no statement", w.p.at(u.call))
	}
	arg := u.call.Args[0]
	if !pure(arg) {
		w.set.Replace(s.Pos(), arg.Pos(), "_ = ") // a Get may stand in arg
		w.set.Replace(arg.End(), s.End(), "")
		return nil
	}
	w.remove(s)
	list := listOf(u.path, s)
	_, now := s.(*ast.ExprStmt) // what stands before a Put that is deferred is not the object's last use
	if id, ok := arg.(*ast.Ident); ok && now && w.gets(u, id) {
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
		return syntax.Buffer(info.TypeOf(sel.X)) != ""
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
		w.cut = append(w.cut, part{from: s.Pos(), to: s.End(), uses: []ast.Node{s}})
	}
}

// declaration removes the variable of the pool, if all that its package says of it is
// gone and no other package can say anything.
func (w *writer) declaration() {
	if len(w.pool.decls) != 1 || w.pool.mentions != len(w.pool.uses) {
		return
	}
	m := w.pool.decls[0]
	if m.v.Exported() || m.v.IsField() || syntax.Parameter(m.path) || named(m.pkg.IgnoredFiles, m.v.Name()) {
		return
	}
	n := len(m.path)
	switch p := m.path[n-1].(type) {
	case *ast.AssignStmt: // pool := sync.Pool{...}
		if len(p.Lhs) == 1 && p.Tok == token.DEFINE && quiet(p.Rhs, m.pkg.TypesInfo) {
			w.remove(p)
		}
	case *ast.ValueSpec:
		decl := m.path[n-2].(*ast.GenDecl)
		switch {
		case len(p.Names) != 1 || !quiet(p.Values, m.pkg.TypesInfo):
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

// quiet reports whether what a pool is declared with does nothing else.
func quiet(values []ast.Expr, info *types.Info) bool {
	quiet := true
	for _, e := range values {
		ast.Inspect(e, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.CallExpr:
				quiet = quiet && info.Types[n.Fun].IsBuiltin()
			case *ast.UnaryExpr:
				quiet = quiet && n.Op != token.ARROW
			}
			return true
		})
	}
	return quiet
}

// named reports whether one of the files, which another build has, names something so.
func named(files []string, name string) bool {
	word := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`)
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		return err == nil && word.Match(text)
	})
}

// withDoc is a node with the comment above it.
func withDoc(n ast.Node, doc *ast.CommentGroup) part {
	if doc == nil {
		return part{from: n.Pos(), to: n.End()}
	}
	return part{from: doc.Pos(), to: n.End()}
}
