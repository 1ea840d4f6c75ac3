// Package syntax answers questions about Go's syntax trees that the analysis and the
// rewriting both have.
package syntax

import (
	"go/ast"
	"slices"
)

// Inspect visits the nodes of a tree, each with the path to it, which ends with the node.
// visit reports whether to go on below.
func Inspect(tree ast.Node, visit func(path []ast.Node) bool) {
	ast.PreorderStack(tree, nil, func(n ast.Node, above []ast.Node) bool { return visit(append(above, n)) })
}

// Parent is the last node of a path that is no parenthesis; nil if there is none.
func Parent(path []ast.Node) ast.Node {
	for _, n := range slices.Backward(path) {
		if _, ok := n.(*ast.ParenExpr); !ok {
			return n
		}
	}
	return nil
}

// List is the list of statements that a node has.
func List(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// Parameter reports whether a name that is declared at the end of a path is one of a
// function's parameters, results or receivers.
func Parameter(path []ast.Node) bool {
	for _, n := range slices.Backward(path) {
		switch n.(type) {
		case *ast.FuncType, *ast.FuncDecl:
			return true
		case *ast.StructType, *ast.ValueSpec, ast.Stmt:
			return false
		}
	}
	return false
}
