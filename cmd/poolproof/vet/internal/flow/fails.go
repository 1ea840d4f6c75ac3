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
	context := func(v ssa.Value) ssa.Value { // of whose end v tells
		call, ok := v.(*ssa.Call)
		if !ok || !call.Call.IsInvoke() || call.Call.Method.FullName() != "(context.Context).Err" {
			return nil
		}
		return p.Stored(call.Call.Value)
	}
	none, known := ssax.Tested(err, ret.Block(), func(x, y ssa.Value) bool {
		x = p.Stored(x)
		// What a context says of its end stays: if ctx.Err() != nil { return ctx.Err() }.
		return x == y || context(x) != nil && context(x) == context(y)
	})
	return !none && known, known
}
