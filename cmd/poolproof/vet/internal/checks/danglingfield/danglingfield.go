// Package danglingfield finds fields that still refer to an object after it was
// put out of them.
package danglingfield

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

// Check is PV015.
var Check = check.New(check.Check{
	Code: "PV015",
	Name: "dangling-field",
	Doc:  "a field still refers to an object after it was put",
	Tier: check.Audit,
	Else: check.Else{Tier: check.Warning, If: "a second call puts the same object again"},
	Fix:  true,
}, rule)

func rule(p *check.Pass) {
	p.AfterPut(events.Exit, func(obj *events.Object, _ *events.History, put, e events.Event) {
		tier, what, next := check.Audit, "field "+e.What, ", so that a later use or put of the field reaches an object with another owner"
		switch e.How {
		case events.Itself:
			p.At(put, check.Warning, "a second call of "+e.What+" puts its receiver again", remedy(e.How))
			return
		case events.CallsAgain:
			p.At(put, check.Warning, "a second call of "+obj.Func.Obj.Name()+" calls "+e.What+" again, and the function that the field holds puts the same object each time", remedy(e.How))
			return
		case events.StoredField:
		case events.StoredAgain:
			tier, next = check.Warning, ", and a second call puts it again"
		case events.StoredElement:
			what = "an element of field " + e.What
		case events.ElementAgain:
			p.At(put, check.Warning, "field "+e.What+" still refers to all that is put here, and a second call of "+obj.Func.Obj.Name()+" puts it again", remedy(e.How))
			return
		case events.StoredCopy:
			p.At(put, check.Warning, what+" still refers to the object after "+call(put)+", and a second call puts it again: the receiver is a copy", remedy(e.How))
			return
		default:
			return
		}
		p.Report(check.Report{
			Pos: put.Pos, End: put.End,
			Tier:    tier,
			Message: what + " still refers to the object after " + call(put) + next,
			Remedy:  remedy(e.How),
			Fixes:   forgotten(p, obj, put, e.What),
		})
	})
}

// remedy says how a second call finds nothing to put.
func remedy(how events.How) string {
	switch how {
	case events.Itself:
		return "let a field of it say that it is closed, which the code that gets it clears"
	case events.StoredCopy:
		return "make it a pointer, and set the field to nil"
	case events.StoredElement:
		return "set it to nil"
	}
	return "set the field to nil"
}

// call is how the message names the put: a callee may do more than to put.
func call(put events.Event) string {
	if put.How == events.Plain || put.What == "" {
		return "this put"
	}
	return put.What + " has put it"
}

// forgotten returns the fix: the object is put if the field has one, and then the
// field has none. It is right where the put is all that is done with the field from
// there on: a second call then does nothing.
func forgotten(p *check.Pass, obj *events.Object, put events.Event, field string) []analysis.SuggestedFix {
	_, object, plain := p.PlainPut(put.Node)
	if !plain || put.Deferred || usedAgain(obj) {
		return nil
	}
	sel, ok := ast.Unparen(object).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != field || !mayBeNil(p.TypesInfo.TypeOf(sel)) {
		return nil
	}
	s, ok := p.Statement(put.Node)
	if !ok {
		return nil
	}
	text, indent, edit, ok := p.Lines(s)
	if !ok {
		return nil
	}
	x := types.ExprString(object)
	edit.NewText = fmt.Appendf(nil, "%s\n%s%s = nil", text, indent, x)
	edits := []analysis.TextEdit{edit}
	first := token.NoPos // what the test of the field does not cover is before it
	if !tested(p, s, object) {
		first = prepared(p, s, sel)
		edits[0].NewText = fmt.Appendf(edits[0].NewText, "\n%s}", indent)
		edits = append(edits, analysis.TextEdit{Pos: first, End: first, NewText: fmt.Appendf(nil, "if %s != nil {\n%s\t", x, indent)})
	}
	if mentioned(p, sel, first) {
		return nil
	}
	return []analysis.SuggestedFix{{Message: "forget what is put", TextEdits: edits}}
}

// prepared returns where the calls begin that stand right before a put and get the field
// ready for it, as w.b.Reset(): they must not run either if the field has no object.
func prepared(p *check.Pass, s check.Statement, sel *ast.SelectorExpr) token.Pos {
	first := s.Stmt
	for _, before := range slices.Backward(s.Before()) {
		call, ok := before.(*ast.ExprStmt)
		if !ok || !syntax.Names(p.TypesInfo, p.TypesInfo.ObjectOf(sel.Sel), call) {
			break
		}
		first = call
	}
	return first.Pos()
}

// usedAgain reports whether anything else is wrong with the object after its put. What its last user
// left is a history of one event.
func usedAgain(obj *events.Object) bool {
	return slices.ContainsFunc(obj.Histories, func(h events.History) bool { return len(h.Events) > 1 && h.Last().Kind != events.Exit })
}

func mayBeNil(t types.Type) bool {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Interface:
		return true
	}
	return false
}

// mentioned reports whether the field is named in the function after an expression, or used
// before a position, or the expression is in a loop. An assignment to the field and a
// comparison do not use what it refers to.
func mentioned(p *check.Pass, sel *ast.SelectorExpr, first token.Pos) bool {
	field := p.TypesInfo.ObjectOf(sel.Sel)
	found, harmless := false, map[*ast.Ident]bool{}
	spare := func(x ast.Expr) {
		if s, ok := ast.Unparen(x).(*ast.SelectorExpr); ok {
			harmless[s.Sel] = true
		}
	}
	around := p.Around(sel)
	if around == nil {
		return true // a literal in a package variable
	}
	ast.Inspect(around, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			found = found || n.Pos() < sel.Pos() && sel.End() < n.End()
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				spare(left)
			}
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				spare(n.X)
			}
		case *ast.Ident:
			found = found || (n.Pos() > sel.End() || n.Pos() < first && !harmless[n]) && p.TypesInfo.ObjectOf(n) == field
		}
		return !found
	})
	return found
}

// tested reports whether a statement is reached only if x is not nil: in an if that
// says so, or after one that returns otherwise.
func tested(p *check.Pass, s check.Statement, x ast.Expr) bool {
	compares := func(cond ast.Expr, op token.Token) bool {
		b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
		return ok && b.Op == op && p.Same(b.X, x) && p.TypesInfo.Types[b.Y].IsNil()
	}
	if around, ok := s.Around.(*ast.IfStmt); ok && compares(around.Cond, token.NEQ) {
		return true
	}
	for _, before := range s.Before() {
		test, ok := before.(*ast.IfStmt)
		if !ok || test.Else != nil || !compares(test.Cond, token.EQL) || len(test.Body.List) == 0 {
			continue
		}
		if _, ok := test.Body.List[len(test.Body.List)-1].(*ast.ReturnStmt); ok {
			return true
		}
	}
	return false
}
