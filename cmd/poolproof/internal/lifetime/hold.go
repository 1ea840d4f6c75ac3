package lifetime

import (
	"fmt"
	"go/ast"
	"strings"
)

// hold makes functions of a test file hold what they are given until the operation has ended:
// a callback of a benchmark may look at nothing, where one of another program keeps all. So
// does a loop with the values of an iterator.
func (in *instrumented) hold(f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil && !(n.Recv != nil && keepsNothing[n.Name.Name]) {
				in.holdGiven(f, n.Type.Params, n.Body)
			}
		case *ast.FuncLit:
			in.holdGiven(f, n.Type.Params, n.Body)
		case *ast.RangeStmt:
			var names []string
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if id, ok := e.(*ast.Ident); ok && id.Name != "_" {
					names = append(names, id.Name)
				}
			}
			if _, number := n.X.(*ast.BasicLit); len(names) > 0 && !number && !selects(n.X, "N") {
				in.insert(f, n.Body, holding(names))
			}
		}
		return true
	})
}

// keepsNothing are methods that by the contracts of package io keep nothing of what they are
// given.
var keepsNothing = map[string]bool{"Read": true, "Write": true, "ReadAt": true, "WriteAt": true, "WriteString": true}

// holdGiven inserts a statement that holds parameters, which get names where they have none.
func (in *instrumented) holdGiven(f *ast.File, params *ast.FieldList, body *ast.BlockStmt) {
	var names []string
	unnamed := 0
	fresh := func() string {
		unnamed++
		return fmt.Sprintf("poolproofgiven%d", unnamed)
	}
	for _, p := range params.List {
		small := holdsNothing(p.Type)
		if len(p.Names) == 0 { // then none has one
			name := fresh()
			in.set.Replace(p.Type.Pos(), p.Type.Pos(), name+" ")
			if !small {
				names = append(names, name)
			}
			continue
		}
		for _, id := range p.Names {
			switch {
			case small:
			case id.Name == "_":
				name := fresh()
				in.set.Node(id, name)
				names = append(names, name)
			default:
				names = append(names, id.Name)
			}
		}
	}
	if len(names) > 0 {
		in.insert(f, body, holding(names))
	}
}

func holding(names []string) string {
	return fmt.Sprintf("%s.PoolproofHold(%s)", alias, strings.Join(names, ", "))
}

// holdsNothing reports whether a parameter of that type refers to no memory of the program
// under test: a number, or what package testing gives.
func holdsNothing(t ast.Expr) bool {
	switch t := t.(type) {
	case *ast.Ident:
		return numbers[t.Name]
	case *ast.StarExpr:
		sel, ok := t.X.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		pkg, ok := sel.X.(*ast.Ident)
		return ok && pkg.Name == "testing"
	}
	return false
}

var numbers = map[string]bool{
	"bool": true, "byte": true, "rune": true, "int": true, "int8": true, "int16": true, "int32": true, "int64": true,
	"uint": true, "uint8": true, "uint16": true, "uint32": true, "uint64": true, "float32": true, "float64": true,
}

// selects reports whether an expression ends in a field or method of that name.
func selects(e ast.Expr, name string) bool {
	sel, ok := e.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == name
}
