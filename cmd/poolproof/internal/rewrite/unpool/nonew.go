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
	if _, block := s.Else.(*ast.BlockStmt); s.Else != nil && !block {
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
	if _, ok := s.Body.List[len(s.Body.List)-1].(*ast.ReturnStmt); !ok {
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
	get, ok := u.path[i].(*ast.AssignStmt)
	if !ok || get.Tok != token.DEFINE {
		return nil
	}
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
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return nil
	}
	to, ok := a.Lhs[0].(*ast.Ident)
	from, isName := get.Lhs[0].(*ast.Ident)
	if !ok || !isName || u.pkg.TypesInfo.ObjectOf(to) != u.pkg.TypesInfo.ObjectOf(from) {
		return nil
	}
	for _, other := range get.Lhs[1:] { // v, ok := pool.Get().(*T), whose ok is asked for once more
		if id, isName := other.(*ast.Ident); !isName || id.Name != "_" && uses(u.pkg.TypesInfo, id) > 1 {
			return nil
		}
	}
	return s
}

// uses counts the mentions of a variable, but for its declaration.
func uses(info *types.Info, id *ast.Ident) (n int) {
	for _, obj := range info.Uses {
		if obj == info.ObjectOf(id) {
			n++
		}
	}
	return n
}

// statement is the index in the path of the assignment that takes what a Get returns;
// -1: there is none.
func statement(u use) int {
	for i, n := range slices.Backward(u.path) {
		switch n.(type) {
		case *ast.TypeAssertExpr, *ast.ParenExpr:
			continue
		case *ast.AssignStmt:
			return i
		}
		return -1
	}
	return -1
}

// withoutGet leaves what runs when a Get finds nothing.
func (w *writer) withoutGet(u use) error {
	if s := found(u); s != nil && s.Else != nil {
		return w.set.Cut(s.Pos(), s.Else.Pos())
	} else if s != nil {
		w.remove(s)
		return nil
	}
	if s := made(u); s != nil {
		return w.make(u, s)
	}
	list, miss := missed(u)
	if err := w.set.Cut(list[0].Pos(), miss.Body.List[0].Pos()); err != nil {
		return err
	}
	return w.set.Cut(miss.Body.List[len(miss.Body.List)-1].End(), list[len(list)-1].End())
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
		text = "var " + name.Name + " " + types.TypeString(v, types.RelativeTo(u.pkg.Types)) + " = " + object
	}
	w.set.Replace(u.path[statement(u)].Pos(), s.End(), text)
	return nil
}
