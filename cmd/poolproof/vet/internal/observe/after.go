package observe

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// detachedBefore returns the fields of the object that are overwritten on every
// path to an instruction by what is not the object's.
func (fn *Code) detachedBefore(al *alias.Set, at ssa.Instruction) map[int]bool {
	fields := make(map[int]bool)
	for _, b := range fn.f.Blocks {
		for _, instr := range b.Instrs {
			if !ssax.Before(instr, at) {
				continue
			}
			switch instr := instr.(type) {
			case *ssa.Store:
				if info := al.Of(instr.Val); info != nil {
					continue
				}
				switch addr := instr.Addr.(type) {
				case *ssa.FieldAddr:
					if al.IsWhole(addr.X) {
						fields[addr.Field] = true
					}
				default:
					if al.IsWhole(addr) && !isAlloc(addr) {
						fields[-1] = true
						if !isSlicePointer(addr) {
							fields[whole] = true
							for i := range 64 {
								fields[i] = true
							}
						}
					}
				}
			case ssa.CallInstruction:
				c := fn.Program.Resolve(instr)
				for i, arg := range c.Args {
					if !al.IsWhole(arg) || c.Deferred() || c.Started() {
						continue
					}
					for f := -1; f < 64; f++ {
						if detaches(&c, i, f) {
							fields[f] = true
						}
					}
				}
			}
		}
	}
	return fields
}

// after walks from a direct put along all paths to the first use of the object.
func (fn *function) after(p *put) {
	al := fn.aliases(p)
	if al == nil || !walkable(al) || fn.failedToGet(p) {
		return
	}
	first := fn.putEvent(p)
	w := &follower{Table: fn.Table, al: al, start: p.instr(), detached: fn.detachedBefore(al, p.instr())}
	w.place, w.chosen, w.fails = p.place, p.chosen, p.fails
	for f := -1; f < 64 && p.at == nil; f++ {
		if detaches(&p.call, p.index, f) {
			w.detached[f] = true // by the callee, before it puts
		}
	}
	report := func(instr ssa.Instruction, t touch, deferred bool) {
		second := fn.event(t.kind, instr)
		second.How, second.What, second.Deferred = t.how, t.what, deferred
		fn.history(p, events.History{
			Events:   append(fn.getsOf(p), first, second),
			Reach:    t.reach,
			Copyable: nil,
		})
	}
	w.found = func(instr ssa.Instruction, t touch, s *paths.State) bool {
		if instr == p.instr() && (t.kind == events.Put || p.at != nil) && fn.freshRound(al, p) {
			return false
		}
		if instr == p.instr() && t.kind != events.Put && p.at == nil {
			return true
		}
		if p.fails != nil {
			if yes, _ := s.Noted(failed); !yes {
				return true
			}
		}
		call, isCall := instr.(ssa.CallInstruction)
		deferred := false
		if isCall {
			_, deferred = call.(*ssa.Defer)
		}
		if t.kind == events.Put && isCall && fn.isCounted(call) {
			return true
		}
		report(instr, t, deferred)
		return false
	}
	w.defers = func(at ssa.Instruction, s *paths.State) {
		view := w.view(s)
		for _, d := range fn.defers {
			if yes, _ := s.Noted(failed); !ssax.Before(d, p.instr()) || p.fails != nil && !yes {
				continue
			}
			if t := view.call(d); t.kind != 0 {
				if t.kind == events.Put && fn.isCounted(d) {
					continue
				}
				report(d, t, true)
			}
		}
	}
	w.leave = func(_ *ssa.Return, s *paths.State) {
		for _, c := range fn.cleanups {
			if t := w.view(s).resolved(c); t.kind == events.Put && ssax.Before(c.Instr, p.instr()) {
				report(c.Instr, t, true)
			}
		}
	}
	if p.told != nil {
		fn.walker.Told(p.call.Instr, p.told, p.toldYes, w)
		return
	}
	fn.walker.FromWith(p.instr(), p.state(), w)
}

// failedToGet reports whether a put is reached only where the call that returned the
// object has also returned an error: there is no object then, as a rule.
func (fn *Code) failedToGet(p *put) bool {
	if len(p.roots) == 0 {
		return false
	}
	object, ok := p.roots[0].(*ssa.Extract)
	if !ok {
		return false
	}
	for b := p.instr().Block(); b.Idom() != nil; b = b.Idom() {
		cond, ok := b.Idom().Instrs[len(b.Idom().Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		c, ok := cond.Cond.(*ssa.BinOp)
		if !ok || c.Op != token.EQL && c.Op != token.NEQ || !ssax.IsNil(c.Y) {
			continue
		}
		err, ok := fn.Program.Stored(c.X).(*ssa.Extract)
		failed := b.Idom().Succs[0]
		if c.Op == token.EQL {
			failed = b.Idom().Succs[1]
		}
		if ok && err.Tuple == object.Tuple && ssax.IsError(err.Type()) && len(failed.Preds) == 1 && failed.Dominates(p.instr().Block()) {
			return true
		}
	}
	return false
}

// freshRound reports whether the put comes back to itself with a value of the
// loop's next round: one that is loaded or merged anew.
func (fn *Code) freshRound(al *alias.Set, p *put) bool {
	if base, ok := p.place.Base.(ssa.Instruction); ok && ssax.MayPrecede(p.instr(), base) {
		return true // the struct whose field it is
	}
	root, ok := al.Root.(ssa.Instruction)
	return ok && root.Block() != nil && !root.Block().Dominates(p.instr().Block())
}

func (fn *Code) isCounted(call ssa.CallInstruction) bool {
	return flow.Counted(fn.Program, call)
}

// walkable reports whether the object is known well enough to follow.
func walkable(al *alias.Set) bool {
	switch al.Root.(type) {
	case *ssa.Const, *ssa.Global, *ssa.Function:
		return false
	}
	return true
}

func isSlicePointer(v ssa.Value) bool {
	t := ssax.Pointee(v.Type())
	return t != nil && ssax.IsSlice(t)
}
