package lifetime

import (
	"fmt"
	"go/ast"
	"strings"
)

// tests edits a test file.
func (in *instrumented) tests(name string) error {
	f, err := in.file(name)
	if err != nil {
		return err
	}
	in.operations(f)
	in.hold(f)
	return nil
}

// operations makes the loops of benchmarks in a test file tell where an operation begins: a
// loop to or over b.N, of b.Loop or of pb.Next, with b a *testing.B and pb a *testing.PB that
// a function of the file has as a parameter.
func (in *instrumented) operations(f *ast.File) {
	params := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		t, ok := n.(*ast.FuncType)
		if !ok {
			return true
		}
		for _, p := range t.Params.List {
			star, ok := p.Type.(*ast.StarExpr)
			if !ok {
				continue
			}
			sel, ok := star.X.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != "B" && sel.Sel.Name != "PB" {
				continue
			}
			for _, id := range p.Names {
				params[id.Name] = true
			}
		}
		return true
	})
	loop := func(body *ast.BlockStmt) {
		in.loops++
		in.insert(f, body, fmt.Sprintf("%s.PoolproofOperation(%d)", alias, in.loops))
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			if n.Cond != nil && (counts(n.Cond, params) || counts(n.Init, params)) {
				loop(n.Body)
			}
		case *ast.RangeStmt:
			if counts(n.X, params) {
				loop(n.Body)
			}
		}
		return true
	})
}

// counts reports whether b.N, b.Loop or pb.Next is a part of the head of a loop.
func counts(head ast.Node, params map[string]bool) (does bool) {
	if head == nil {
		return false
	}
	ast.Inspect(head, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		if sel, ok := n.(*ast.SelectorExpr); ok && strings.Contains(" N Loop Next ", " "+sel.Sel.Name+" ") {
			if id, ok := sel.X.(*ast.Ident); ok && params[id.Name] {
				does = true
			}
		}
		return !does
	})
	return does
}
