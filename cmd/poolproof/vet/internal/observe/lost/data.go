package lost

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// Whether an object is fit to be kept is a question about the memory that it has, or about what went wrong with it.
// What the function itself has put into a field says nothing of that.

// ofData reports whether a condition asks for a field of the object that the function has set
// to what it has found elsewhere, and returns an error if that is wrong, or whether a range over
// a function goes on: it is about the data, not about whether the object is fit.
func ofData(w *fate, at *ssa.If) bool {
	results := w.code.F.Signature.Results()
	fails := results.Len() > 0 && ssax.IsError(results.At(results.Len()-1).Type())
	exact := isExact(at.Cond)
	return ssax.Computed(at.Cond, func(v ssa.Value) (is, goOn bool) {
		if call, ok := v.(*ssa.Call); ok && isYield(call) {
			return true, false
		}
		load := ssax.Load(v)
		if load == nil {
			return false, true
		}
		field, ok := load.X.(*ssa.FieldAddr)
		if !ok || !w.whole(field.X) || !fails {
			return false, false
		}
		since := func(instr ssa.Instruction) bool { return ssax.Before(instr, at) && ssax.Before(w.g.Call.Instr, instr) }
		place, ok := w.code.Program.Place(field)
		return ok && slices.ContainsFunc(w.code.Program.StoresTo(w.code.F, place), func(s *ssa.Store) bool {
			_, isConst := s.Val.(*ssa.Const)
			return !isConst && (w.al.Of(s.Val) == nil || exact && fillsAnew(s.Val)) && since(s)
		}) || exact && flow.AnyArg(w.code.Program.Calls(w.code.F), func(c *flow.Call, i int, arg ssa.Value) bool {
			return i < c.Captures && w.whole(ssax.Strip(arg)) && names.IsDecoding(c.Name()) && since(c.Instr)
		}), false
	})
}

// isExact reports whether a condition compares for equality, and not for a capacity: a limit is one of order.
func isExact(cond ssa.Value) bool {
	c, ok := cond.(*ssa.BinOp)
	return ok && (c.Op == token.EQL || c.Op == token.NEQ) && !ssax.Computed(c, func(v ssa.Value) (is, goOn bool) {
		call, ok := v.(*ssa.Call)
		if !ok {
			return false, true
		}
		b, ok := call.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "cap", true
	})
}

// fillsAnew reports whether a value is what was appended to a slice that is cut to nothing: only what is
// appended decides about its length.
func fillsAnew(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	if !ok || len(call.Call.Args) == 0 {
		return false
	}
	b, ok := call.Call.Value.(*ssa.Builtin)
	cut, isCut := call.Call.Args[0].(*ssa.Slice)
	return ok && b.Name() == "append" && isCut && cut.High != nil && ssax.IsInt(cut.High, 0)
}
