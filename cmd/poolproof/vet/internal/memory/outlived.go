package memory

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// Outlived reports whether a condition may ask for what a load found in a place after the place was
// written again, as in
//
//	b := c.buf
//	c.buf = nil
//	if b != nil {
//
// There the value is not what the place holds.
func Outlived(p *Places, load *ssa.UnOp, place Var) bool {
	outlived, ok := p.outlived[load]
	if !ok {
		for _, s := range p.StoresTo(load.Parent(), place) {
			outlived = outlived || s.Parent() == load.Parent() && ssax.MayPrecede(load, s) && asked(load, func(cond *ssa.If) bool {
				if s.Block() == cond.Block() {
					return s.Block() != load.Block() || ssax.Before(load, s)
				}
				return ssax.Passes(s.Block(), cond.Block(), load.Block())
			}, nil)
		}
		p.outlived[load] = outlived
	}
	return outlived
}

// asked reports whether a value is asked for by a condition that f accepts.
func asked(v ssa.Value, f func(*ssa.If) bool, seen []ssa.Value) bool {
	return !slices.Contains(seen, v) && slices.ContainsFunc(*v.Referrers(), func(ref ssa.Instruction) bool {
		switch ref := ref.(type) {
		case *ssa.If:
			return f(ref)
		case *ssa.UnOp:
			return ref.Op == token.NOT && asked(ref, f, append(seen, v))
		case *ssa.BinOp, *ssa.Phi, *ssa.Convert, *ssa.ChangeType:
			return asked(ref.(ssa.Value), f, append(seen, v))
		}
		return false
	})
}
