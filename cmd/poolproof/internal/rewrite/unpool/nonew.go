package unpool

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

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
func speaks(n ast.Node, u use) bool {
	return slices.ContainsFunc(received(u), func(v types.Object) bool { return syntax.Names(u.pkg.TypesInfo, v, n) })
}

// statement is the index in the path of the assignment that declares what a Get returns; -1:
// there is none.
func statement(u use) int {
	if i, a := assignment(u); a != nil && a.Tok == token.DEFINE {
		return i
	}
	return -1
}

// listOf is the list of statements in which s stands.
func listOf(path []ast.Node, s ast.Stmt) []ast.Stmt {
	for _, n := range slices.Backward(path) {
		if list := syntax.List(n); slices.Contains(list, s) {
			return list
		}
	}
	return nil
}
