package unpool

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
)

// withoutNew says why a pool whose users make objects by themselves, where Get returns
// nil, has no form that one would write.
func withoutNew(pool *Pool) string {
	if pool.loose {
		return "it may be a pool of code that is not followed, with a New"
	}
	for _, u := range pool.uses {
		if u.put || found(u) != nil || made(u) != nil {
			continue
		}
		if _, miss := missed(u); miss == nil {
			return "it has no New, and its Get in line " + strconv.Itoa(u.pkg.Fset.Position(u.sel.Pos()).Line) + " is not followed by a test for nil that one could leave out"
		}
	}
	return ""
}

// found is the statement that uses what a Get has found, and only that: it never runs
// without the pool.
//
//	if v := pool.Get(); v != nil { return v.(*T) }
//
// What it does else stays.
func found(u use) *ast.IfStmt {
	i := statement(u)
	if i < 1 {
		return nil
	}
	s, ok := u.path[i-1].(*ast.IfStmt)
	if !ok || u.path[i] != ast.Node(s.Init) {
		return nil
	}
	if _, block := s.Else.(*ast.BlockStmt); s.Else != nil && (!block || speaks(s.Else, u)) {
		return nil
	}
	if s.Else == nil && listOf(u.path[:i-1], s) == nil { // after another else
		return nil
	}
	if hit, _ := branches(u); !slices.Contains(hit, s.Body) {
		return nil
	}
	return s
}

// missed is the block that runs, and returns, when a Get has found nothing, and the list
// of statements that it and the Get stand in: what follows it never runs without the
// pool.
//
//	v := pool.Get()
//	if v == nil { return new(T) }
//	return v.(*T)
func missed(u use) (list []ast.Stmt, miss *ast.IfStmt) {
	i := statement(u)
	if i < 0 {
		return nil, nil
	}
	get := u.path[i].(ast.Stmt)
	list = listOf(u.path, get)
	j := slices.Index(list, get)
	if j < 0 || j+1 >= len(list) {
		return nil, nil
	}
	s, ok := list[j+1].(*ast.IfStmt)
	if !ok || s.Init != nil || s.Else != nil || len(s.Body.List) == 0 {
		return nil, nil
	}
	if _, ok := s.Body.List[len(s.Body.List)-1].(*ast.ReturnStmt); !ok || speaks(s.Body, u) {
		return nil, nil
	}
	if _, misses := branches(u); !slices.Contains(misses, s.Body) {
		return nil, nil
	}
	return list[j:], s
}

// made is the statement that makes an object where a Get has found none, and does nothing else.
//
//	v := pool.Get()
//	if v == nil { v = new(T) }
func made(u use) *ast.IfStmt {
	i := statement(u)
	if i < 0 {
		return nil
	}
	get := u.path[i].(*ast.AssignStmt)
	list := listOf(u.path, get)
	j := slices.Index(list, ast.Stmt(get))
	if j < 0 || j+1 >= len(list) {
		return nil
	}
	s, ok := list[j+1].(*ast.IfStmt)
	if !ok || s.Init != nil || s.Else != nil || len(s.Body.List) != 1 {
		return nil
	}
	if _, misses := branches(u); !slices.Contains(misses, s.Body) {
		return nil
	}
	a, ok := s.Body.List[0].(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 || speaks(a.Rhs[0], u) {
		return nil
	}
	to, ok := a.Lhs[0].(*ast.Ident)
	from, isName := get.Lhs[0].(*ast.Ident)
	if !ok || !isName || u.pkg.TypesInfo.Defs[from] == nil || u.pkg.TypesInfo.ObjectOf(to) != u.pkg.TypesInfo.ObjectOf(from) {
		return nil
	}
	for _, other := range get.Lhs[1:] { // v, ok := pool.Get().(*T), whose ok is asked for once more
		if id, isName := other.(*ast.Ident); !isName || id.Name != "_" && usedBeside(u.pkg.TypesInfo, id, s.Cond) {
			return nil
		}
	}
	return s
}

// usedBeside reports whether a variable is named outside of a node.
func usedBeside(info *types.Info, v *ast.Ident, n ast.Node) bool {
	for id, obj := range info.Uses {
		if obj == info.ObjectOf(v) && (id.Pos() < n.Pos() || n.End() <= id.Pos()) {
			return true
		}
	}
	return false
}

// speaks reports whether a node names a variable that holds what a Get gives.
func speaks(n ast.Node, u use) (found bool) {
	all := received(u)
	ast.Inspect(n, func(x ast.Node) bool {
		id, ok := x.(*ast.Ident)
		found = found || ok && slices.Contains(all, u.pkg.TypesInfo.ObjectOf(id))
		return !found
	})
	return found
}

// statement is the index in the path of the assignment that declares what a Get returns; -1:
// there is none.
func statement(u use) int {
	for i, n := range slices.Backward(u.path) {
		switch n := n.(type) {
		case *ast.TypeAssertExpr, *ast.ParenExpr:
			continue
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				return i
			}
		}
		return -1
	}
	return -1
}

// withoutGet leaves what runs when a Get finds nothing.
func (w *writer) withoutGet(u use) error {
	if s := found(u); s != nil && s.Else != nil {
		w.cut = append(w.cut, part{from: s.Pos(), to: s.Else.Pos(), uses: []ast.Node{s.Init, s.Cond, s.Body}, end: "\n"})
		return nil
	} else if s != nil {
		w.remove(s)
		return nil
	}
	if s := made(u); s != nil {
		return w.make(u, s)
	}
	list, miss := missed(u)
	gone := []ast.Node{list[0], miss.Cond}
	for _, s := range list[2:] {
		gone = append(gone, s)
	}
	w.cut = append(w.cut, part{from: list[0].Pos(), to: miss.Body.List[0].Pos(), uses: gone, end: "\n"},
		part{from: miss.Body.List[len(miss.Body.List)-1].End(), to: list[len(list)-1].End()})
	return nil
}

// make leaves the object that is made where a Get finds none.
func (w *writer) make(u use, s *ast.IfStmt) error {
	a := s.Body.List[0].(*ast.AssignStmt)
	object, err := w.set.Code(a.Rhs[0])
	if err != nil {
		return err
	}
	name := a.Lhs[0].(*ast.Ident)
	text := name.Name + " := " + object
	if v := u.pkg.TypesInfo.TypeOf(name); !types.Identical(v, u.pkg.TypesInfo.TypeOf(a.Rhs[0])) { // of an interface
		typ := "any"
		if asserted, ok := parentOf(u.path).(*ast.TypeAssertExpr); ok {
			if typ, err = w.set.Code(asserted.Type); err != nil {
				return err
			}
		}
		text = "var " + name.Name + " " + typ + " = " + object
	}
	w.set.Replace(u.path[statement(u)].Pos(), s.End(), text)
	return nil
}
