package fit

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// Borrowed finds a put of what callers have only borrowed: an exported function puts its parameter,
// of a type that the package lends to callbacks and takes back itself. Others get such an object in
// no other way, so whoever calls the function has it put twice.
func Borrowed(fn *scene.Function, p *track.Put) []scene.Found {
	prm, ok := p.Roots[0].(*ssa.Parameter)
	if !ok || len(p.Roots) > 1 || p.Captured || fn.Out.Test || !token.IsExported(fn.F.Name()) || names.IsRelease(fn.F.Name()) {
		return nil
	}
	tn, lent := fn.LentType(prm.Type())
	if !lent || tn.Pkg() != fn.Pass.Pkg || obtained(fn, prm.Type()) {
		return nil
	}
	return unfit(fn, p, events.LentOut, fn.F.Name())
}

// obtained reports whether there is a way to objects of a type but to borrow them: an exported
// function that gets one for its caller, or a call of the putting function in the package.
func obtained(fn *scene.Function, t types.Type) bool {
	for _, f := range fn.Funcs {
		if token.IsExported(f.Name()) {
			results := f.Signature.Results()
			for i := range results.Len() {
				if fn.Program.Own(f).Getter.Has(i) && types.Identical(results.At(i).Type(), t) {
					return true
				}
			}
		}
		if flow.Any(fn.Program.Calls(f), func(c *flow.Call) bool { return c.Lit == fn.F }) {
			return true
		}
	}
	return false
}
