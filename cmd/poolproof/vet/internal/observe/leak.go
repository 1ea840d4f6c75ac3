package observe

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// leaks walks from a get along all paths to a return, or back to the get, on
// which the object is neither put nor handed to somebody else.
func (fn *function) leaks(g get) {
	if fn.out.Test || !refers(fn.made[g.value].Type) {
		return
	}
	if g.unlessNil() {
		return
	}
	al := fn.bounded(alias.Of(fn.Program, g.value))
	if al == nil {
		return
	}
	w := &keeper{fn: fn, g: g, al: al, ends: make(map[ssa.Instruction]end), behind: make(map[token.Pos]bool), release: fn.release(g)}
	fn.classify(w)
	if len(w.puts) > 0 {
		w.reach = w.reaching()
	}
	if len(w.puts) == 0 && w.transfers > 0 {
		fn.replaced(w)
		fn.lostWhereItFails(w)
		return // somebody else's to put
	}
	if fn.Events.Directives.Drop(position(g.call.Instr)) {
		return
	}
	obj := fn.made[g.value]
	if len(w.puts) == 0 && w.offers == 0 {
		if fn.putsAlike(g) {
			return // it may be this one, by a way that is not followed
		}
		never := fn.event(events.Exit, g.call.Instr)
		never.What = g.call.Name()
		if fn.endsAlways() {
			return
		}
		obj.Histories = append(obj.Histories, events.History{Events: []events.Event{*obj.Get, never}})
		return
	}
	fn.walker.From(g.call.Instr, w)
	if fn.walker.GaveUp {
		return
	}
	for _, e := range w.oncePerLoop() {
		obj.Histories = append(obj.Histories, events.History{Events: []events.Event{*obj.Get, e}})
	}
}

// unlessNil reports whether the getter gets only where an argument is nil which is not the
// constant here: what it returns is what it was given.
func (g get) unlessNil() bool {
	for _, t := range g.call.Summary.GotIfNil {
		if t.Result == resultIndex(g.value) && t.Param < g.call.Captures && !ssax.IsNil(g.call.Args[t.Param]) {
			return true
		}
	}
	return false
}

// putsAlike reports whether the function, or a literal in it, puts an object of the same
// type that is not known to be another one which it got.
func (fn *function) putsAlike(g get) bool {
	t := fn.made[g.value].Type
	for i := range fn.puts {
		p := &fn.puts[i]
		if obj := fn.objectOf(p); obj.Get == nil && t != nil && obj.Type != nil && types.Identical(obj.Type, t) {
			return true
		}
	}
	return false
}

// endsAlways reports whether a function has no return: the program ends with it.
func (fn *function) endsAlways() bool {
	for _, b := range fn.f.Blocks {
		if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && b != fn.f.Recover {
			return false
		}
	}
	return true
}

// keeper is a visitor that looks for paths on which an object is lost.
type keeper struct {
	fn        *function
	g         get
	al        *alias.Set
	ends      map[ssa.Instruction]end
	puts      map[ssa.Instruction]bool
	transfers int
	offers    int // selects with a case that sends it: see selected
	reach     map[*ssa.BasicBlock]bool
	exits     []events.Event
	behind    map[token.Pos]bool // exits that the get does not dominate: behind the loop that it is in
	release   ssa.Value          // the function that the getter returned to end the object, or nil
}

// classify finds the puts and hand-overs of the object.
func (fn *function) classify(w *keeper) {
	w.puts = make(map[ssa.Instruction]bool)
	for _, b := range fn.f.Blocks {
		for _, instr := range b.Instrs {
			if sel, ok := instr.(*ssa.Select); ok && w.offered(sel) {
				w.offers++
			}
			switch e := w.end(instr); e {
			case putBack:
				w.ends[instr] = e
				w.puts[instr] = true
			case handedOver:
				w.ends[instr] = e
				w.transfers++
			}
		}
	}
}

// Visit ends a path well or badly.
func (w *keeper) Visit(instr ssa.Instruction, s *paths.State) bool {
	if w.ends[instr] != goesOn {
		return false
	}
	if instr == ssa.Instruction(w.g.call.Instr) {
		if w.carried(s) {
			return false // a variable has it, and the next round has the variable
		}
		e := w.fn.event(events.Exit, instr)
		e.How = events.NextRound
		w.lost(e)
		return false
	}
	if _, ok := instr.(*ssa.RunDefers); ok && w.deferredBefore() {
		return false
	}
	if ret, ok := instr.(*ssa.Return); ok && ret.Block() != w.fn.f.Recover {
		e := w.fn.event(events.Exit, instr)
		e.How = events.Return
		if w.isError(ret, s) {
			e.How = events.ErrorReturn
		}
		if !ret.Pos().IsValid() {
			e.Pos = w.fn.closing()
		}
		if !w.g.call.Instr.Block().Dominates(ret.Block()) {
			w.behind[e.Pos] = true
		}
		w.lost(e)
	}
	return true
}

// deferredBefore reports whether a call that was deferred before the get puts what
// is in the variable by then.
func (w *keeper) deferredBefore() bool {
	for _, d := range w.fn.defers {
		if w.ends[d] != goesOn && ssax.Before(d, w.g.call.Instr) {
			return true
		}
	}
	return false
}

// oncePerLoop leaves out the returns behind a loop in which the object is lost
// from round to round: they are the last round of the same mistake.
func (w *keeper) oncePerLoop() []events.Event {
	round := slices.ContainsFunc(w.exits, func(e events.Event) bool { return e.How == events.NextRound })
	if !round {
		return w.exits
	}
	return slices.DeleteFunc(w.exits, func(e events.Event) bool { return w.behind[e.Pos] })
}

// closing returns the position of the closing brace of the function.
func (fn *function) closing() token.Pos {
	if syntax := fn.f.Syntax(); syntax != nil {
		return syntax.End() - 1
	}
	return fn.f.Pos()
}

func (w *keeper) lost(e events.Event) {
	if w.fn.Events.Directives.Drop(e.Pos) {
		return
	}
	for _, old := range w.exits {
		if old.Pos == e.Pos {
			return
		}
	}
	w.exits = append(w.exits, e)
}

// isError reports whether a return certainly returns an error.
func (w *keeper) isError(ret *ssa.Return, s *paths.State) bool {
	for _, r := range ret.Results {
		if !ssax.IsError(r.Type()) {
			continue
		}
		r = w.fn.Program.Stored(r)
		if phi, ok := r.(*ssa.Phi); ok && s.Edge(phi) != nil {
			r = s.Edge(phi)
		}
		return !ssax.IsNil(r)
	}
	return false
}

// Merge notes whether a merged value is the object on an edge.
func (w *keeper) Merge(phi *ssa.Phi, edge ssa.Value, s *paths.State) {
	if w.al.Of(phi) == nil {
		return
	}
	live, noted := s.Noted(edge)
	if _, isPhi := edge.(*ssa.Phi); !isPhi && !noted {
		live = w.al.Of(edge) != nil
	}
	s.Note(ssa.Value(phi), live)
}

// carried reports whether a merged value is the object and is read after the next
// one was got: a variable that outlives the round.
func (w *keeper) carried(s *paths.State) (found bool) {
	get := w.g.call.Instr
	s.Noteds(func(what any, live bool) {
		phi, ok := what.(*ssa.Phi)
		if !ok || !live || w.al.Of(phi) == nil {
			return
		}
		for _, ref := range *phi.Referrers() {
			if ref.Block() == get.Block() && ssax.Before(get, ref) || ssax.Passes(get.Block(), ref.Block(), phi.Block()) {
				found = true
			}
		}
	})
	return found
}

// Branch does not take edges on which there is no object, on which it goes
// elsewhere, or on which it is left out because it is not fit to be kept.
func (w *keeper) Branch(cond *ssa.If, taken bool, s *paths.State) bool {
	if w.absent(cond.Cond, taken) || w.selected(cond.Cond, taken) {
		return false
	}
	if len(w.reach) == 0 {
		return true
	}
	succ, other := cond.Block().Succs[0], cond.Block().Succs[1]
	if !taken {
		succ, other = other, succ
	}
	if !w.reach[succ] && w.reach[other] && w.fn.Program.About(cond.Cond, w.isObject) {
		return false
	}
	return true
}

// reaching returns the blocks from which a put is reached before the next object is got:
// in a loop each block leads to the put of some object.
func (w *keeper) reaching() map[*ssa.BasicBlock]bool {
	get := w.g.call.Instr
	reach := make(map[*ssa.BasicBlock]bool)
	var back func(b *ssa.BasicBlock)
	back = func(b *ssa.BasicBlock) {
		if reach[b] {
			return
		}
		reach[b] = true
		if b == get.Block() {
			return
		}
		for _, p := range b.Preds {
			back(p)
		}
	}
	for put := range w.puts {
		if put.Block() == get.Block() && ssax.Before(put, get) {
			for _, p := range put.Block().Preds {
				back(p) // of the object of the round before
			}
			continue
		}
		back(put.Block())
	}
	return reach
}

func (w *keeper) isObject(v ssa.Value) bool { return w.al.Of(v) != nil }

// absent reports whether there is no object where a condition has a value: it is
// nil, the assertion of its type failed, or the getter said that it failed.
func (w *keeper) absent(cond ssa.Value, value bool) bool {
	switch c := cond.(type) {
	case *ssa.UnOp:
		return c.Op == token.NOT && w.absent(c.X, !value)
	case *ssa.Extract:
		if c.Tuple == w.g.tuple() {
			for _, told := range w.g.call.Summary.GotIf {
				if told.Param == resultIndex(w.g.value) && told.Result == c.Index {
					return value != told.Value
				}
			}
		}
		if value {
			return false
		}
		if a, ok := c.Tuple.(*ssa.TypeAssert); ok && c.Index == 1 {
			return w.al.Of(a.X) != nil
		}
		return c.Tuple == w.g.tuple()
	case *ssa.BinOp:
		if c.Op != token.EQL && c.Op != token.NEQ {
			return false
		}
		x, y := c.X, c.Y
		if ssax.IsNil(x) {
			x, y = y, x
		}
		if !ssax.IsNil(y) {
			return false
		}
		isNil := (c.Op == token.EQL) == value
		if e, ok := w.fn.Program.Stored(x).(*ssa.Extract); ok && e.Tuple == w.g.tuple() && ssax.IsError(e.Type()) {
			return !isNil
		}
		return isNil && w.al.Of(x) != nil
	}
	return false
}

// tuple returns the results of the get, if it has several.
func (g get) tuple() ssa.Value {
	if e, ok := g.value.(*ssa.Extract); ok {
		return e.Tuple
	}
	return nil
}

// offered reports whether a select sends the object in one of its cases.
func (w *keeper) offered(sel *ssa.Select) bool {
	return slices.ContainsFunc(sel.States, func(s *ssa.SelectState) bool { return s.Send != nil && w.out(s.Send) })
}

// selected reports whether a condition says that the case of a select was chosen
// which sends the object.
func (w *keeper) selected(cond ssa.Value, value bool) bool {
	if !value {
		return false
	}
	state := ssax.Chosen(cond)
	return state != nil && state.Send != nil && w.out(state.Send)
}
