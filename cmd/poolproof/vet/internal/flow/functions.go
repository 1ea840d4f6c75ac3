package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// function returns the function that a value certainly is, with the variables
// that it captures.
func (p *Program) function(v ssa.Value, depth int) (*ssa.Function, []ssa.Value) {
	if depth > memory.MaxPath {
		return nil, nil
	}
	switch v := v.(type) {
	case *ssa.Function:
		return v, nil
	case *ssa.MakeClosure:
		return v.Fn.(*ssa.Function), v.Bindings
	case *ssa.ChangeType:
		return p.function(v.X, depth+1)
	case *ssa.Call: // a literal that a function of the package returns, without what it captures
		callee := v.Call.StaticCallee()
		if callee != nil && callee.Origin() != nil {
			callee = callee.Origin()
		}
		if _, own := p.own[callee]; !own {
			return nil, nil
		}
		if made, ok := returned(callee).(*ssa.MakeClosure); ok {
			return made.Fn.(*ssa.Function), nil
		}
	case *ssa.UnOp:
		if global, ok := v.X.(*ssa.Global); ok {
			if set := p.Functions(global); len(set) == 1 {
				return p.function(set[0], depth+1)
			}
		}
		if set := p.Only(v); set != nil {
			return p.function(set, depth+1)
		}
	}
	return nil, nil
}

// returned returns what a function always returns, nil if that is not one value.
func returned(fn *ssa.Function) ssa.Value {
	all := slices.Collect(ssax.Returns(fn))
	if len(all) != 1 || len(all[0].Results) != 1 {
		return nil
	}
	return ssax.Strip(all[0].Results[0])
}

// candidates returns the functions that a function value may be which is read from a variable or
// a field that only the package sets, as functions can name them: the package's own, or declared
// ones. It is nil if there are others.
func candidates(p *Program, v ssa.Value) (fns []*ssa.Function) {
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
