package memory

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// Seen returns what an instruction may find in a whole variable of its function, or of one around it,
// by the paths of its own function.
func (p *Places) Seen(at ssa.Instruction, variable *ssa.Alloc) Seen {
	key := read{at, variable}
	seen, ok := p.seen[key]
	if !ok {
		seen = cell{p, variable}.find(at)
		p.seen[key] = seen
	}
	return seen
}

// cell is a variable that literals may capture and assign.
type cell struct {
	p        *Places
	variable *ssa.Alloc
}

func (c cell) find(at ssa.Instruction) (seen Seen) {
	p, variable := c.p, c.variable
	seen.Else = p.Stores(variable).Unknown
	passed := make(map[*ssa.BasicBlock]bool)
	var back func(b *ssa.BasicBlock, before int)
	back = func(b *ssa.BasicBlock, before int) {
		for _, instr := range slices.Backward(b.Instrs[:before]) {
			switch instr := instr.(type) {
			case *ssa.Store:
				v, ok := p.Place(instr.Addr)
				if ok && v == (Var{Base: variable}) {
					if !slices.Contains(seen.Stores, instr) {
						seen.Stores = append(seen.Stores, instr)
					}
					return
				}
				seen.Else = seen.Else || ok && v.Local() && v.Base == ssa.Value(variable) // a part of it
			case *ssa.Alloc:
				if instr == variable {
					seen.Entry = true
					return
				}
			case *ssa.RunDefers:
				seen.Else = seen.Else || c.deferredStore(instr.Parent(), nil)
			case *ssa.Defer:
			case ssa.CallInstruction:
				seen.Else = seen.Else || p.MayAssign(instr, variable)
			}
		}
		seen.Entry = seen.Entry || b.Index == 0
		for _, pred := range b.Preds {
			if !passed[pred] {
				passed[pred] = true
				back(pred, len(pred.Instrs))
			}
		}
	}
	back(at.Block(), slices.Index(at.Block().Instrs, at))
	return seen
}

// AtEntry reports whether a load of a captured variable certainly finds what was there when its literal
// was called.
func (p *Places) AtEntry(load ssa.Instruction, captured *ssa.FreeVar) bool {
	variable, ok := p.captured(captured).(*ssa.Alloc)
	if !ok {
		return !p.OverwrittenBy(captured)
	}
	seen := p.Seen(load, variable)
	return seen.Entry && !seen.Else && len(seen.Stores) == 0
}

// Everywhere is Seen, and where the instruction stands in a literal that finds there what the function
// around has left, what that may be where the literal is called, or the function ends if it is deferred.
func (p *Places) Everywhere(at ssa.Instruction, variable *ssa.Alloc) Seen {
	return cell{p, variable}.everywhere(at, 0)
}

func (c cell) everywhere(at ssa.Instruction, depth int) Seen {
	seen := c.p.Seen(at, c.variable)
	f := at.Parent()
	if !seen.Entry || f == c.variable.Parent() || f.Parent() == nil {
		return seen
	}
	seen.Entry = false
	sites := readers(at, f.Parent(), 0)
	if len(sites) == 0 || depth > MaxPath || !c.p.onlyCalled(f) {
		return Seen{Else: true}
	}
	for _, site := range sites {
		outer := c.everywhere(site, depth+1)
		for _, s := range outer.Stores {
			if !slices.Contains(seen.Stores, s) {
				seen.Stores = append(seen.Stores, s)
			}
		}
		seen.Entry = seen.Entry || outer.Entry
		_, atEnd := site.(*ssa.RunDefers)
		seen.Else = seen.Else || outer.Else || atEnd && c.deferredStore(f.Parent(), f)
	}
	return seen
}

// deferredStore reports whether a deferred call of a function may assign the variable; if literal is not
// nil, one that runs before a call of it that is deferred too.
func (c cell) deferredStore(f, literal *ssa.Function) bool {
	if !c.p.Stores(c.variable).Inner {
		return false
	}
	after := literal == nil
	for instr := range ssax.Instrs(f) {
		d, ok := instr.(*ssa.Defer)
		switch {
		case !ok:
		case literal != nil && d.Call.StaticCallee() == literal:
			after = true
		case after && c.p.MayAssign(d, c.variable):
			return true
		}
	}
	return false
}

// MayAssign reports whether a call, be it deferred, may assign a local variable: it may run a literal
// that does so.
func (p *Places) MayAssign(call ssa.CallInstruction, variable *ssa.Alloc) bool {
	s := p.Stores(variable)
	if !s.Inner {
		return false
	}
	common := call.Common()
	if _, builtin := common.Value.(*ssa.Builtin); builtin {
		return false
	}
	passed := func(literal *ssa.Function) bool {
		return slices.ContainsFunc(common.Args, func(arg ssa.Value) bool {
			made, ok := ssax.Strip(arg).(*ssa.MakeClosure)
			return ok && made.Fn == literal
		})
	}
	for _, store := range s.Whole {
		for f := store.Parent(); f != variable.Parent() && f != call.Parent(); f = f.Parent() {
			if f.Synthetic == rangeBody && !passed(f) {
				continue
			}
			if f.Synthetic == rangeBody || !p.onlyCalled(f) {
				return true
			}
		}
	}
	callee := common.StaticCallee()
	return callee == nil && !common.IsInvoke() || callee != nil && cell{p, variable}.runsStore(callee, 0)
}

// ReadAfter reports whether an instruction in a block of a kind, outside of the literal that a store stands in, may find
// in a captured variable what the store has left there.
func (p *Places) ReadAfter(s *ssa.Store, variable *ssa.Alloc, kind func(*ssa.BasicBlock) bool) bool {
	stored := readers(s, variable.Parent(), 0)
	return slices.ContainsFunc(p.Stores(variable).Loads, func(load *ssa.UnOp) bool {
		return load.Parent() != s.Parent() && kind(load.Block()) && !ssax.OnlyCompared(load) && slices.ContainsFunc(readers(load, variable.Parent(), 0), func(read ssa.Instruction) bool {
			return slices.ContainsFunc(stored, func(site ssa.Instruction) bool { return site != read && ssax.MayPrecede(site, read) })
		})
	})
}

// rangeBody is what makes the body of a range over a function a literal: it runs within the call
// that it is passed to.
const rangeBody = "range-over-func yield"

// onlyCalled reports whether a literal runs only where its function calls or defers it.
func (p *Places) onlyCalled(literal *ssa.Function) bool {
	made := p.Maker(literal)
	return made != nil && ssax.OnlyCalled(made)
}

// runsStore reports whether a literal assigns the variable, or calls a function value that may.
func (c cell) runsStore(literal *ssa.Function, depth int) bool {
	if literal.Parent() == nil || depth > MaxPath {
		return literal.Parent() != nil
	}
	for instr := range ssax.Instrs(literal) {
		switch instr := instr.(type) {
		case *ssa.Store:
			if v, ok := c.p.Place(instr.Addr); ok && v == (Var{Base: c.variable}) {
				return true
			}
		case ssa.CallInstruction:
			callee := instr.Common().StaticCallee()
			if _, builtin := instr.Common().Value.(*ssa.Builtin); builtin || instr.Common().IsInvoke() {
				continue
			}
			if callee == nil || callee != literal && c.runsStore(callee, depth+1) {
				return true
			}
		}
	}
	return false
}
