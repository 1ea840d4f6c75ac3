package late

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// putsIfItFails reports whether a deferred literal puts the object if the function fails,
// and the function fails where it returns from a block: the literal tests the result that
// the return sets.
func putsIfItFails(fn *track.Code, al *alias.Set, d *ssa.Defer, at *ssa.BasicBlock) bool {
	ret, ok := at.Instrs[len(at.Instrs)-1].(*ssa.Return)
	if !ok {
		return false
	}
	if fails, _ := fn.Program.Fails(ret); !fails {
		return false
	}
	c := fn.Program.Resolve(d)
	result := ssax.Load(ret.Results[len(ret.Results)-1])
	if c.Lit == nil || c.Lit.Parent() != fn.F || result == nil {
		return false
	}
	for inner := range fn.Program.Calls(c.Lit) {
		for i, arg := range inner.Args {
			if inner.Summary.Gives(i) && i < inner.Captures && captured(fn, al, arg, c.Lit, c.Args) && underFailure(inner.Instr.Block(), result.X, c.Lit, c.Args) {
				return true
			}
		}
	}
	return false
}

// captured reports whether an argument in a literal is the object, out of a variable of the
// function that holds nothing else.
func captured(fn *track.Code, al *alias.Set, arg ssa.Value, lit *ssa.Function, bindings []ssa.Value) bool {
	load := ssax.Load(ssax.Strip(arg))
	if load == nil {
		return false
	}
	v, ok := outer(load.X, lit, bindings).(*ssa.Alloc)
	if !ok {
		return false
	}
	stores := fn.Program.Stores(v).Whole
	return len(stores) == 1 && al.IsWhole(stores[0].Val)
}

// underFailure reports whether a block of a literal runs if, and only if, a result of the
// function around it, an error, is not nil.
func underFailure(b *ssa.BasicBlock, result ssa.Value, lit *ssa.Function, bindings []ssa.Value) bool {
	isNil, known := ssax.Tested(result, b, func(x, _ ssa.Value) bool {
		load := ssax.Load(x)
		return load != nil && outer(load.X, lit, bindings) == result
	})
	return known && !isNil && conditions(b) == 1
}

// conditions returns how many conditions stand before a block.
func conditions(b *ssa.BasicBlock) (n int) {
	for ; b.Idom() != nil; b = b.Idom() {
		if _, ok := b.Idom().Instrs[len(b.Idom().Instrs)-1].(*ssa.If); ok {
			n++
		}
	}
	return n
}

// outer returns the variable that a literal captures as v.
func outer(v ssa.Value, lit *ssa.Function, bindings []ssa.Value) ssa.Value {
	for i, fv := range lit.FreeVars {
		if fv == v && len(bindings) >= len(lit.FreeVars) {
			return bindings[len(bindings)-len(lit.FreeVars)+i]
		}
	}
	return nil
}
