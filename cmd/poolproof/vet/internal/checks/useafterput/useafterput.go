// Package useafterput finds objects that are used after they were put.
package useafterput

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

// Check is PV001.
var Check = check.New(check.Check{
	Code: "PV001",
	Name: "use-after-put",
	Doc:  "an object, or memory of it, is used after it was put",
	Tier: check.Error,
	Else: check.Through,
	Fix:  true,
}, rule)

func rule(p *check.Pass) {
	p.AfterPut(events.Use, func(obj *events.Object, h *events.History, put, use events.Event) {
		what := check.Name(obj)
		if use.How == events.Returned {
			what = check.Part(obj, h)
		}
		if !put.Deferred || use.How != events.Returned {
			p.Ends(h, check.Demoted(check.Error, obj, h), what+" is "+verb(use)+after(p, put, use), remedy(put, use), exchanged(p, put, use)...)
		}
	})
}

// after says what came before.
func after(p *check.Pass, put, use events.Event) string {
	switch {
	case put.Deferred && use.Deferred:
		return " after the put: deferred calls run last in, first out, so the put on " + p.Line(put) + " runs first"
	case use.Deferred:
		return ", a deferred call, after " + p.PutBy(put)
	}
	return " after " + p.PutBy(put)
}

// remedy says what to do: the put follows the last use of the object, or that use is of a copy.
func remedy(put, use events.Event) string {
	switch {
	case put.Deferred && use.Deferred:
		return "defer the put before this, so that it runs last"
	case use.Deferred:
		return "defer the put too, before this"
	case use.How == events.Returned:
		return "return a copy, or leave the put to the caller"
	case put.How == events.Handed || put.How == events.Taken:
		return "hand it on after its last use, or use a copy"
	}
	return "put it after its last use, or use a copy"
}

func verb(use events.Event) string {
	switch use.How {
	case events.Written:
		return "written"
	case events.Passed:
		if use.What != "" {
			return "used by " + use.What
		}
		return "passed on"
	case events.Returned:
		return "returned"
	case events.Captured:
		return "used by a function literal"
	case events.StoredField, events.StoredGlobal, events.StoredMap:
		return "stored"
	case events.Sent:
		return "sent"
	}
	return "read"
}

// exchanged returns the fix where the put is deferred right after the use: they
// change places. Neither may compute anything before it is deferred, which the
// other one could see.
func exchanged(p *check.Pass, put, use events.Event) []analysis.SuggestedFix {
	if _, _, plain := p.PlainPut(put.Node); !plain || !put.Deferred || !use.Deferred || !computesNothing(use.Node) {
		return nil
	}
	first, ok := p.Statement(use.Node)
	second, ok2 := p.Statement(put.Node)
	if !ok || !ok2 || !second.Follows(first) {
		return nil
	}
	edits := p.Exchange(first, second)
	if edits == nil {
		return nil
	}
	return []analysis.SuggestedFix{{Message: "defer the put first, so that it runs last", TextEdits: edits}}
}

// computesNothing reports whether a call has operands without calls and receives.
func computesNothing(node ast.Node) bool {
	call, ok := node.(*ast.CallExpr)
	if !ok {
		return false
	}
	nothing := true
	for _, operand := range append([]ast.Expr{call.Fun}, call.Args...) {
		ast.Inspect(operand, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false // it runs later
			case *ast.CallExpr:
				nothing = false
			case *ast.UnaryExpr:
				nothing = nothing && n.Op != token.ARROW
			}
			return nothing
		})
	}
	return nothing
}
