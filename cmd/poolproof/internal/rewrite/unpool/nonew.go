package unpool

import (
	"go/ast"
	"slices"
)

// withoutNew says why a pool whose users make objects by themselves, where Get returns
// nil, has no form that one would write.
func withoutNew(pool *Pool) string {
	for _, u := range pool.uses {
		if !u.put && found(u) == nil {
			if _, miss := missed(u); miss == nil {
				return "it has no New, and neither if v := Get(); v != nil { ... } nor v := Get(); if v == nil { ...; return } follows"
			}
		}
	}
	return ""
}

// found is the statement that uses what a Get has found, and only that: it never runs
// without the pool.
//
//	if v := pool.Get(); v != nil { return v.(*T) }
func found(u use) *ast.IfStmt {
	i := statement(u)
	if i < 1 {
		return nil
	}
	s, ok := u.path[i-1].(*ast.IfStmt)
	if !ok || s.Else != nil || u.path[i] != ast.Node(s.Init) {
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
	if s := found(u); s != nil {
		w.remove(s)
		return nil
	}
	list, miss := missed(u)
	if err := w.set.Cut(list[0].Pos(), miss.Body.List[0].Pos()); err != nil {
		return err
	}
	return w.set.Cut(miss.Body.List[len(miss.Body.List)-1].End(), list[len(list)-1].End())
}
