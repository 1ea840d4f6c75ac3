package finding

import (
	"go/ast"
	"go/token"
)

// spans returns the first and the last line of each statement of a file that is
// written in several: a directive on one of its lines is about all of them. A
// statement that holds others is none of these.
func spans(fset *token.FileSet, file *ast.File) (all [][2]int) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ExprStmt, *ast.AssignStmt, *ast.ReturnStmt, *ast.DeferStmt, *ast.GoStmt, *ast.SendStmt, *ast.IncDecStmt, *ast.DeclStmt:
			from, to := fset.Position(n.Pos()).Line, fset.Position(n.End()).Line
			if from < to && !holdsStatements(n) {
				all = append(all, [2]int{from, to})
			}
		}
		return true
	})
	return all
}

// holdsStatements reports whether there is a function in a statement.
func holdsStatements(stmt ast.Node) (found bool) {
	ast.Inspect(stmt, func(n ast.Node) bool {
		_, lit := n.(*ast.FuncLit)
		found = found || lit
		return !found
	})
	return found
}

// widened returns the lines of the statement that a line is part of.
func widened(line int, spans [][2]int) (from, to int) {
	for _, s := range spans {
		if s[0] <= line && line <= s[1] {
			return s[0], s[1]
		}
	}
	return line, line
}
