package mutate

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// returns calls each with the returns of a function that name what they return, and with the
// types of its results; those of function literals have the literal's.
func returns(t *ast.FuncType, body *ast.BlockStmt, each func(r *ast.ReturnStmt, results []string)) {
	var results []string
	if t.Results != nil {
		for _, field := range t.Results.List {
			results = append(results, slices.Repeat([]string{types.ExprString(field.Type)}, max(1, len(field.Names)))...)
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			returns(n.Type, n.Body, each)
			return false
		case *ast.ReturnStmt:
			if len(n.Results) > 0 {
				each(n, results)
			}
		}
		return true
	})
}

// constants is what a return of these types gives for an operator; "" if it does not fit.
func constants(op string, results []string) string {
	if op == "truth" {
		if len(results) == 1 && results[0] == "bool" {
			return "true"
		}
		return ""
	}
	zeros := make([]string, len(results))
	for i, t := range results {
		zeros[i] = "*new(" + t + ")"
	}
	return strings.Join(zeros, ", ")
}
