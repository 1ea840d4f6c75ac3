package lost

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// lostInside finds the returns of a callee on which it loses an object that it was given. All that
// its caller does with the object is to get it and to call: whatever ends the object, the callee
// does it, or nobody.
func lostInside(fn *scene.Function, w *keeper) (found []scene.Found) {
	if fn.GetOf(w.g.Value) == nil || fn.Events.Directives.Drop(ssax.Position(w.g.Call.Instr)) {
		return nil
	}
	in := lostIn(fn, w)
	if in == nil {
		return nil
	}
	for _, e := range in.exits {
		e.What = in.g.Value.Name()
		found = append(found, w.ending(e))
	}
	return found
}

// endsInCallee reports whether the callee to which a function leaves an object ends it in any other way
// than by a function that is a parameter too, of which the caller knows more.
func endsInCallee(fn *scene.Function, w *keeper) bool {
	in := lostIn(fn, w)
	if in == nil {
		return false
	}
	for instr := range in.ends {
		call, ok := instr.(ssa.CallInstruction)
		if !ok {
			return true
		}
		if _, passed := call.Common().Value.(*ssa.Parameter); !passed || call.Common().IsInvoke() {
			return true
		}
	}
	return false
}

// lostIn returns what is known in the callee to which a function leaves an object, with the exits that
// lose it, nil if the callee ends it nowhere.
func lostIn(fn *scene.Function, w *keeper) *keeper {
	c, i, ok := w.onlyCall()
	if !ok {
		return nil
	}
	inner := &scene.Function{Package: fn.Package, Code: track.New(fn.Table, c.Lit, fn.Budget), Out: fn.Out}
	v := &inside{keeperOf(inner, c.Lit.Params[i], new(summary.Summary)), make(map[ssa.Value]bool)}
	if v.keeper == nil || len(v.ends) == 0 {
		return nil
	}
	v.reach = ssax.Reaching(v.ends, nil)
	for j, arg := range c.Args[:min(c.Captures, len(c.Lit.Params))] {
		if isNil, known := ssax.Tested(arg, c.Instr.Block(), func(x, y ssa.Value) bool { return x == y }); known {
			v.isNil[c.Lit.Params[j]] = isNil
		}
	}
	if !inner.Whole().Entry(c.Lit, v) {
		return nil
	}
	return v.keeper
}

// onlyCall returns the last thing that a function does with the object: a call of a function of this
// package, which is given the object and does not always put it. Nothing else may end the object.
// Whether the callee lets its caller know is all the same, for the caller does nothing more.
func (w *keeper) onlyCall() (c flow.Call, param int, ok bool) {
	var only ssa.Instruction
	for instr := range w.ends {
		if only != nil {
			return c, 0, false
		}
		only = instr
	}
	for c := range w.code.Program.Calls(w.code.F) {
		if i, ok := w.entrusts(&c); ok && (only == nil || only == ssa.Instruction(c.Instr)) && !w.usedAfter(c.Instr) {
			return c, i, true
		}
	}
	return c, 0, false
}

// entrusts returns which parameter of a callee the object is, if the callee may put it or not.
func (w *keeper) entrusts(c *flow.Call) (param int, ok bool) {
	if _, isCall := c.Instr.(*ssa.Call); !isCall || c.Lit == nil || c.Lit.Parent() != nil || names.IsRelease(c.Name()) {
		return 0, false
	}
	param = slices.IndexFunc(c.Args[:c.Captures], w.whole)
	if param < 0 || param >= len(c.Lit.Params) || !w.al.Of(c.Args[param]).Must {
		return 0, false
	}
	for _, arg := range c.Args {
		if info := w.al.Of(arg); info != nil && info.Holder {
			return 0, false // the callee may end it by that
		}
	}
	s := c.Summary
	return param, !(s.Owns | s.RefPut | s.Borrows).Has(param)
}

// onlyMemory reports whether an instruction is a call of code that is not known with memory of the
// object, a struct, by which that code cannot put it.
func (w *keeper) onlyMemory(instr ssa.Instruction) bool {
	if !w.guessed[instr] {
		return false
	}
	if ssax.IsBuffer(w.al.Type) {
		return false // whoever has the memory has all of it
	}
	return !slices.ContainsFunc(w.code.Program.Resolve(instr.(ssa.CallInstruction)).Args, func(arg ssa.Value) bool {
		info := w.al.Of(arg)
		return info != nil && (info.Holder || w.whole(arg))
	})
}

// usedAfter reports whether the object may be used again after a call, before the next is got.
func (w *keeper) usedAfter(call ssa.Instruction) (used bool) {
	w.fn.Walker.From(call, paths.Instrs{Each: func(instr ssa.Instruction) bool {
		if instr == w.begin {
			return false
		}
		for op := range ssax.Operands(instr) {
			used = used || w.al.Of(op) != nil
		}
		return !used
	}})
	return used
}

// inside is a visitor that looks for the returns of a callee without the object.
type inside struct {
	*keeper
	isNil map[ssa.Value]bool // the parameters of which the caller knows whether they are nil
}

// Branch goes on where a pointer in the object is nil: that does not make it unfit for others, as its
// size does, or an error in it. It goes nowhere where the caller does not.
func (v *inside) Branch(cond *ssa.If, taken bool, s *paths.State) bool {
	if x, isNil := ssax.NilTest(cond.Cond, taken); x != nil {
		if is, known := v.isNil[v.code.Program.Stored(x)]; known {
			return is == isNil
		}
		if ssax.Pointee(x.Type()) != nil && !v.whole(x) {
			return true
		}
	}
	return v.keeper.Branch(cond, taken, s)
}
