package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// candidates returns the functions that a function value may be which is read from a variable or
// a field that only the package sets, as functions can name them: the package's own, or declared
// ones. It is nil if there are others.
func (p *Program) candidates(v ssa.Value) (fns []*ssa.Function) {
	load := ssax.Load(v)
	if load == nil {
		return nil
	}
	for _, set := range p.Functions(load.X) {
		if ssax.IsNil(set) {
			continue
		}
		fn, bindings := p.function(set, 0)
		if fn == nil || len(bindings) > 0 && fn.Synthetic != "" {
			return nil
		}
		if obj, ok := fn.Object().(*types.Func); ok && p.named[obj.Origin()] != nil {
			fn = p.named[obj.Origin()]
		}
		fns = append(fns, fn)
	}
	return fns
}

// Borrows reports whether a function value only borrows argument i: it is one of some functions,
// and none of them takes that over, keeps it, or passes it on to code that is not known.
func (p *Program) Borrows(c *Call, i int) bool {
	fns := p.candidates(c.Instr.Common().Value)
	for _, fn := range fns {
		s, own := p.own[fn]
		if obj, ok := fn.Object().(*types.Func); ok && !own {
			s = p.fact(obj.Origin())
		}
		if s == nil && !own && fn.Pkg == nil || s != nil && takes(s, i) {
			return false
		}
	}
	return len(fns) > 0
}

// takes reports whether a function may do something lasting with parameter i.
func takes(s *summary.Summary, i int) bool {
	return (s.MayPut | s.RefPut | s.Retains | s.Keeps | s.Lends | s.Owns | s.MayEmpty | s.Collects).Has(i)
}
