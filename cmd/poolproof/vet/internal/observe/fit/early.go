package fit

import (
	"go/ast"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// Early finds deferred puts of a variable that is nil where the call is deferred and gets its
// value later: the call has its arguments from there, so that it puts nothing.
func Early(fn *scene.Function) (found []scene.Found) {
	for _, d := range fn.Defers {
		c := fn.Program.Resolve(d)
		call := fn.Syntax().Call(d.Common().Pos())
		if call == nil {
			continue
		}
		args := call.Args
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && flow.IsMethod(&c) {
			args = append([]ast.Expr{sel.X}, args...)
		}
		for i, arg := range c.Args[:min(c.Captures, len(args))] {
			if !ssax.IsNil(ssax.Strip(arg)) || !c.Summary.Gives(i) {
				continue
			}
			set := fn.Event(events.Use, d)
			set.How, set.Pos = events.Unset, assigned(fn, call, args[i], func(ast.Expr) bool { return true })
			if !set.Pos.IsValid() {
				continue
			}
			put := fn.Event(events.Exit, d)
			put.What = c.Name()
			found = append(found, scene.Found{Of: fn.Object(arg, arg.Type(), nil), History: events.History{Events: []events.Event{set, put}}})
		}
	}
	return found
}
