package fit

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// Only finds a put of a parameter by a function that is named as one which gives it back, under a
// condition that leaves out what callers give it as a rule: the put stands where a call has
// failed, or asks for the length of a slice that the getter returns with any length.
func Only(fn *scene.Function, p *track.Put) []scene.Found {
	prm, ok := p.Roots[0].(*ssa.Parameter)
	if !ok || len(p.Roots) > 1 || p.Captured || !names.IsRelease(fn.F.Name()) || fn.F.Signature.Results().Len() > 0 {
		return nil
	}
	if call := failedBefore(fn, p, prm); call != nil {
		c := fn.Program.Resolve(call)
		return unfit(fn, p, events.OnlyFailed, c.Name())
	}
	if getter := anyLength(fn, prm); getter != "" {
		return unfit(fn, p, events.OnlyLength, getter)
	}
	return nil
}

// failedBefore returns the call that has failed wherever a put is reached, nil if there is none or
// the parameter is of use where that call succeeds.
func failedBefore(fn *scene.Function, p *track.Put, prm *ssa.Parameter) *ssa.Call {
	for cond, b := range ssax.Above(p.Call.Instr.Block()) {
		value, known := ssax.Leads(cond, b)
		x, isNil := ssax.NilTest(cond.Cond, value)
		if !known || x == nil || isNil || !ssax.IsError(x.Type()) {
			continue
		}
		err := fn.Program.Stored(x)
		if e, ok := err.(*ssa.Extract); ok {
			err = e.Tuple
		}
		_, succeeds := ssax.Edge(cond, value)
		if call, ok := err.(*ssa.Call); ok && !usedFrom(prm, succeeds) {
			return call
		}
	}
	return nil
}

// usedFrom reports whether a parameter is mentioned in a block or behind it.
func usedFrom(prm *ssa.Parameter, b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(*prm.Referrers(), func(ref ssa.Instruction) bool {
		return ref.Block() == b || ssax.Reaches(b, ref.Block())
	})
}

// anyLength returns the getter that returns slices of the type of a parameter, cut to a length that
// its caller chooses, if all puts of the parameter ask for its length; "" otherwise.
func anyLength(fn *scene.Function, prm *ssa.Parameter) string {
	if !ssax.IsSlice(prm.Type()) {
		return ""
	}
	for i := range fn.Puts {
		if !asksLength(fn, fn.Puts[i].Call.Instr.Block(), prm) {
			return ""
		}
	}
	for _, f := range fn.Funcs {
		results := f.Signature.Results()
		if !fn.Program.Own(f).Getter.Has(0) || !types.Identical(results.At(0).Type(), prm.Type()) {
			continue
		}
		for ret := range ssax.Of[*ssa.Return](f) {
			cut, ok := ret.Results[0].(*ssa.Slice)
			if !ok || cut.High == nil {
				continue
			}
			if _, isConst := cut.High.(*ssa.Const); !isConst {
				return f.Name()
			}
		}
	}
	return ""
}

// asksLength reports whether a block runs only if the length of a parameter is that of something.
func asksLength(fn *scene.Function, b *ssa.BasicBlock, prm *ssa.Parameter) bool {
	for branch, below := range ssax.Above(b) {
		value, _ := ssax.Leads(branch, below)
		cond, ok := branch.Cond.(*ssa.BinOp)
		if value && ok && cond.Op == token.EQL && (lengthOf(fn, cond.X, prm) || lengthOf(fn, cond.Y, prm)) {
			return true
		}
	}
	return false
}

// lengthOf reports whether a value is the length of a parameter.
func lengthOf(fn *scene.Function, v ssa.Value, prm *ssa.Parameter) bool {
	call, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	c := fn.Program.Resolve(call)
	return c.Builtin == "len" && ssax.Strip(c.Args[0]) == ssa.Value(prm)
}
