package observe

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// deferred finds what happens to an object after a deferred put of it: deferred
// calls run last in, first out, so what was deferred before runs after the put,
// and so do the callers with what is returned.
func (fn *function) deferred(p *put) {
	al := fn.aliases(p)
	if al == nil || !walkable(al) {
		return
	}
	first := fn.putEvent(p)
	w := &follower{Table: fn.Table, al: al, start: p.call.Instr, place: p.place}
	add := func(instr ssa.Instruction, t touch, deferred bool) {
		second := fn.event(t.kind, instr)
		second.How, second.What, second.Deferred = t.how, t.what, deferred
		h := events.History{Events: append(fn.getsOf(p), first, second), Reach: t.reach}
		if t.how == events.Returned {
			h.Copyable = fn.copyable(instr, t.value)
		}
		fn.history(p, h)
	}

	// What was deferred before.
	view := w.view(p.state())
	for _, d := range fn.defers {
		if d == p.call.Instr || !ssax.Before(d, p.call.Instr) {
			continue
		}
		if t := view.call(d); t.kind != 0 && !(t.kind == events.Put && fn.isCounted(d)) {
			add(d, t, true)
		}
	}

	// What is returned.
	returned := func(ret *ssa.Return, s *paths.State) {
		if !fn.stillDeferred(p, w, s) {
			return
		}
		if r := fn.returnsOwner(p, w, ret, s); r != nil {
			add(ret, touch{kind: events.Use, how: events.Returned, reach: events.Container, value: r}, false)
			return
		}
		for _, r := range ret.Results {
			if w.live(r, s, 0) && fn.resultMatters(r) && !fn.letGo(al, r, ret) {
				add(ret, touch{kind: events.Use, how: events.Returned, reach: al.Of(r).Reach, value: r}, false)
				return
			}
		}
	}
	w.leave = returned
	w.defers = func(_ ssa.Instruction, s *paths.State) { fn.setByLiteral(p, al, s) }
	w.found = func(instr ssa.Instruction, t touch, s *paths.State) bool {
		_, isReturn := instr.(*ssa.Return)
		return !isReturn
	}
	fn.walker.From(p.call.Instr, w)
	fn.loops(p, first)
}

// setByLiteral notes the results that the deferred literal of a put sets to
// memory of the object.
func (fn *Code) setByLiteral(p *put, al *alias.Set, s *paths.State) {
	if p.call.Lit == nil || p.call.Lit.Parent() != fn.f {
		return
	}
	for _, b := range p.call.Lit.Blocks {
		for _, instr := range b.Instrs {
			store, ok := instr.(*ssa.Store)
			if !ok {
				continue
			}
			place, ok := fn.Program.Place(store.Addr)
			if info := al.Of(store.Val); ok && place.Local() && place != (memory.Var{Base: p.arg}) && info != nil && info.Must && !info.Holder {
				s.Note(place, true)
			}
		}
	}
}

// letGo reports whether the object has let go of the memory that a value is,
// before a return.
func (fn *Code) letGo(al *alias.Set, v ssa.Value, ret *ssa.Return) bool {
	field := al.Of(v).Field
	return field != flow.None && (fn.detachedBefore(al, ret)[field] || fn.clearedByDefer(al, field))
}

// clearedByDefer reports whether a deferred literal clears a field of the object:
// what was in it is the caller's then.
func (fn *Code) clearedByDefer(al *alias.Set, field int) bool {
	for _, d := range fn.defers {
		lit := fn.Program.Resolve(d).Lit
		if lit == nil || lit.Parent() != fn.f {
			continue
		}
		for _, b := range lit.Blocks {
			for _, instr := range b.Instrs {
				s, ok := instr.(*ssa.Store)
				if !ok || al.Of(s.Val) != nil {
					continue
				}
				if at, ok := s.Addr.(*ssa.FieldAddr); ok && at.Field == field && al.IsWhole(at.X) {
					return true
				}
				if al.IsWhole(s.Addr) && field == summary.All {
					return true
				}
			}
		}
	}
	return false
}

// stillDeferred reports whether a deferred literal finds the object in the
// variable that it captures.
func (fn *Code) stillDeferred(p *put, w *follower, s *paths.State) bool {
	if !p.captured {
		return true
	}
	alloc, ok := p.arg.(*ssa.Alloc)
	return ok && w.held(memory.Var{Base: alloc}, s)
}

// resultMatters reports whether a result refers to memory: an error that wraps
// text does not, one that is made here with the memory in it does.
func (fn *Code) resultMatters(r ssa.Value) bool {
	if !ssax.IsError(r.Type()) {
		return true
	}
	m, ok := r.(*ssa.MakeInterface)
	return ok && isAlloc(m.X)
}

// copyable returns the expression of a return statement that would have to be
// copied: one of type []byte.
func (fn *function) copyable(ret ssa.Instruction, v ssa.Value) ast.Expr {
	stmt := fn.syntax().returns[ret.Pos()]
	r, ok := ret.(*ssa.Return)
	if stmt == nil || !ok {
		return nil
	}
	i := slices.Index(r.Results, v)
	if i < 0 || len(stmt.Results) != len(r.Results) {
		return nil
	}
	t := fn.Pass.TypesInfo.TypeOf(stmt.Results[i])
	if t == nil || !types.Identical(t, types.NewSlice(types.Typ[types.Byte])) {
		return nil
	}
	return stmt.Results[i]
}

// loops notes a deferred put in a loop: nothing is put before the function ends.
func (fn *function) loops(p *put, first events.Event) {
	b := p.call.Instr.Block()
	if !ssax.Reaches(b, b) {
		return
	}
	loop := fn.event(events.Exit, p.call.Instr)
	loop.How, loop.What = events.NextRound, p.call.Name()
	fn.history(p, events.History{Events: append(fn.getsOf(p), first, loop)})
}
