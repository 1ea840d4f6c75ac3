package lost

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// keeper is a visitor that looks for paths on which an object is lost.
type keeper struct {
	*fate
	fn        *scene.Function
	ends      map[ssa.Instruction]end
	puts      map[ssa.Instruction]bool
	transfers int
	offers    int // selects with a case that sends it: see selected
	reach     map[*ssa.BasicBlock]bool
	exits     []events.Event
	behind    map[token.Pos]bool // exits that the get does not dominate: after the loop that it is in
}

// Visit ends a path well or badly.
func (w *keeper) Visit(instr ssa.Instruction, s *paths.State) bool {
	if w.ends[instr] != goesOn {
		return false
	}
	if instr == ssa.Instruction(w.g.Call.Instr) {
		if w.carried(s) || w.exchanged() {
			return false // a variable has it, and the next round has the variable
		}
		e := w.fn.Event(events.Exit, instr)
		e.How = events.NextRound
		w.lost(e)
		return false
	}
	if _, ok := instr.(*ssa.RunDefers); ok && w.deferredBefore() {
		return false
	}
	if ret, ok := instr.(*ssa.Return); ok && ret.Block() != w.fn.F.Recover {
		e := w.fn.Event(events.Exit, instr)
		e.How = events.Return
		if w.isError(ret, s) {
			e.How = events.ErrorReturn
		}
		if !ret.Pos().IsValid() {
			e.Pos = closing(w.fn.Code)
		}
		if !w.g.Call.Instr.Block().Dominates(ret.Block()) {
			w.behind[e.Pos] = true
		}
		w.lost(e)
	}
	return true
}

// deferredBefore reports whether a call that was deferred before the get puts what
// is in the variable by then.
func (w *keeper) deferredBefore() bool {
	for _, d := range w.fn.Defers {
		if w.ends[d] != goesOn && ssax.Before(d, w.g.Call.Instr) {
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
func closing(fn *track.Code) token.Pos {
	if syntax := fn.F.Syntax(); syntax != nil {
		return syntax.End() - 1
	}
	return fn.F.Pos()
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
	get := w.g.Call.Instr
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

// exchanged reports whether the getter is called with the object of the round before, and
// puts or keeps that: it returns the one that it was given, another one for it, or one that
// holds it.
func (w *keeper) exchanged() bool {
	c := &w.g.Call
	for i, arg := range c.Args {
		if i < c.Captures && w.al.Of(arg) != nil && (c.Summary.MayPut.Has(i) || w.keepsPrevious(c, i)) {
			return true
		}
	}
	return false
}

// keepsPrevious reports whether what a getter returns holds argument i.
func (w *keeper) keepsPrevious(c *flow.Call, i int) bool {
	if (c.Summary.Retains | c.Summary.Keeps).Has(i) {
		return true
	}
	return slices.ContainsFunc(c.Summary.Returns, func(f summary.Flow) bool { return (f.From | f.May).Has(i) })
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
	get := w.g.Call.Instr
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

// classify finds the puts and hand-overs of the object.
func classify(fn *track.Code, w *keeper) {
	w.puts = make(map[ssa.Instruction]bool)
	for _, b := range fn.F.Blocks {
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
