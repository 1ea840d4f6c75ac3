package late

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
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
	return flow.AnyArg(fn.Program.Calls(c.Lit), func(inner *flow.Call, i int, arg ssa.Value) bool {
		return inner.Summary.Gives(i) && i < inner.Captures && captured(fn, al, arg, c.Lit, c.Args) && underFailure(inner.Instr.Block(), result.X, c.Lit, c.Args)
	})
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
	for range ssax.Above(b) {
		n++
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

// putsIfItPanics reports whether a deferred literal puts the object if the function panics,
// and it may do so after an instruction: the literal tests what recover returns.
func putsIfItPanics(fn *track.Code, al *alias.Set, at ssa.Instruction, d *ssa.Defer) bool {
	c := fn.Program.Resolve(d)
	if c.Lit == nil || c.Lit.Parent() != fn.F || !panicsAfter(fn, at) {
		return false
	}
	return flow.AnyArg(fn.Program.Calls(c.Lit), func(inner *flow.Call, i int, arg ssa.Value) bool {
		return inner.Summary.Gives(i) && i < inner.Captures && captured(fn, al, arg, c.Lit, c.Args) && underRecover(inner.Instr.Block())
	})
}

// underRecover reports whether a block runs if, and only if, recover has returned something.
func underRecover(b *ssa.BasicBlock) bool {
	isNil, known := ssax.Tested(nil, b, func(x, _ ssa.Value) bool {
		call, ok := x.(*ssa.Call)
		if !ok {
			return false
		}
		builtin, ok := call.Call.Value.(*ssa.Builtin)
		return ok && builtin.Name() == "recover"
	})
	return known && !isNil && conditions(b) == 1
}

// panicsAfter reports whether the function may panic after an instruction.
func panicsAfter(fn *track.Code, at ssa.Instruction) bool {
	return flow.Any(fn.Program.Calls(fn.F), func(c *flow.Call) bool {
		return c.Instr != at && !c.Deferred() && !c.Started() && ssax.MayPrecede(at, c.Instr) && mayPanic(fn.Program, c, 0)
	})
}

// mayPanic reports whether a call is one of code that panics, that the function does not
// know, or of another module.
func mayPanic(p *flow.Program, c *flow.Call, depth int) bool {
	switch {
	case c.Builtin != "" || c.IsPool():
		return false
	case c.Lit == nil:
		return c.Fn == nil || c.Invoke || !ssax.Standard(c.Fn)
	case depth > 3:
		return false
	}
	for _, b := range c.Lit.Blocks {
		if _, panics := b.Instrs[len(b.Instrs)-1].(*ssa.Panic); panics {
			return true
		}
	}
	return flow.Any(p.Calls(c.Lit), func(inner *flow.Call) bool { return mayPanic(p, inner, depth+1) })
}
