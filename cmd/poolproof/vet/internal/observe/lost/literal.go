package lost

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
)

// handsToLiteral reports whether a call gets the object and, with it, a function of
// the package that puts one of its parameters: who is called will pass the one to
// the other, when the time has come.
func handsToLiteral(w *fate, c *flow.Call) bool {
	gets, puts := false, false
	for i, arg := range c.Args {
		if i >= c.Captures {
			break
		}
		if w.al.Of(arg) != nil {
			gets = true
		}
		if lit := functionValue(arg); lit != nil {
			s := w.code.Program.Own(lit)
			for prm := range lit.Params {
				puts = puts || s != nil && (s.Gives(prm) || (s.MayPut|s.RefPut).Has(prm))
			}
		}
	}
	return gets && puts
}

// functionValue returns the function that an argument is, nil if that is not known.
func functionValue(v ssa.Value) *ssa.Function {
	switch v := v.(type) {
	case *ssa.Function:
		return v
	case *ssa.MakeClosure:
		fn, _ := v.Fn.(*ssa.Function)
		return fn
	case *ssa.ChangeType:
		return functionValue(v.X)
	}
	return nil
}

// onlyLent reports whether a literal goes nowhere but to functions that call it,
// as far as is known, before they return; and does nothing itself by which the
// object would become somebody else's.
func (w *fate) onlyLent(made *ssa.MakeClosure) bool {
	lit, ok := made.Fn.(*ssa.Function)
	body := ok && isLoopBody(lit)
	if !ok || w.code.Program.Own(lit) == nil || lit.Synthetic != "" && !body {
		return false
	}
	s := w.code.Program.Own(lit)
	for i, b := range made.Bindings {
		prm := len(lit.Params) + i
		if (w.al.Of(b) != nil || w.al.Captured(b)) &&
			(s.Gives(prm) || (s.MayPut | s.RefPut | s.Retains | s.Keeps | s.Lends).Has(prm) || s.Lingers != nil) {
			return false
		}
	}
	return body || w.code.Program.OnlyLent(made)
}

// isLoopBody reports whether a function is the body of a range over a function: it is
// called while the loop runs, and panics afterwards.
func isLoopBody(f *ssa.Function) bool { return f.Synthetic == "range-over-func yield" }
