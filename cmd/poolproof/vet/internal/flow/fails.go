package flow

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// Fails reports whether a return has an error as its last result, if the return itself or
// the conditions that lead to it tell: known is false where the error may be nil.
func (p *Program) Fails(ret *ssa.Return) (fails, known bool) {
	if len(ret.Results) == 0 || !ssax.IsError(ret.Results[len(ret.Results)-1].Type()) {
		return false, false
	}
	err := p.Stored(ret.Results[len(ret.Results)-1])
	switch {
	case ssax.IsNil(err):
		return false, true
	case ssax.Failure(err):
		return true, true
	}
	none, known := ssax.Tested(err, ret.Block(), func(x, y ssa.Value) bool { return p.Stored(x) == y || p.asksAgain(p.Stored(x), y) })
	return !none && known, known
}

// asksAgain reports whether two values are what a context says of its end, which stays what it
// is: if ctx.Err() != nil { return ctx.Err() }.
func (p *Program) asksAgain(x, y ssa.Value) bool {
	context := func(v ssa.Value) ssa.Value {
		call, ok := v.(*ssa.Call)
		if !ok || !call.Call.IsInvoke() || call.Call.Method.FullName() != "(context.Context).Err" {
			return nil
		}
		return p.Stored(call.Call.Value)
	}
	c := context(x)
	return c != nil && c == context(y)
}
