package lost

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
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
	left      bool            // other code left the object to the function, which may know what its length says
	begin     ssa.Instruction // where the object comes from, nil if it is a parameter
	ends      map[ssa.Instruction]end
	rest      decider
	puts      map[ssa.Instruction]bool
	transfers int
	offers    int // cases of selects that send it: see Branch
	reach     map[*ssa.BasicBlock]bool
	exits     []events.Event
	behind    map[token.Pos]bool // exits that the get does not dominate: after the loop that it is in
}

// Visit ends a path well or badly.
func (w *keeper) Visit(instr ssa.Instruction, s *paths.State) bool {
	if w.rest.ended(instr, s) {
		return false
	}
	if w.g.Call.Instr != nil && instr == ssa.Instruction(w.g.Call.Instr) {
		if w.carried(s) || w.exchanged() {
			return false // a variable has it, and the next round has the variable
		}
		e := w.fn.Event(events.Exit, instr)
		e.How = events.NextRound
		w.lost(e)
		return false
	}
	if _, ok := instr.(*ssa.RunDefers); ok && (w.rest.endsAtEnd(s) || w.begin != nil && slices.ContainsFunc(w.fn.Defers, func(d *ssa.Defer) bool {
		return w.ends[d] != goesOn && ssax.Before(d, w.begin)
	})) {
		return false // a call that was deferred before puts what is in the variable by then
	}
	if ret, ok := instr.(*ssa.Return); ok && ret.Block() != w.fn.F.Recover && !isUndecided(s) {
		e := w.exit(ret, s)
		if w.begin != nil && !w.begin.Block().Dominates(ret.Block()) {
			w.behind[e.Pos] = true
		}
		w.lost(e)
	}
	return true
}

// exit returns the event of a return.
func (w *keeper) exit(ret *ssa.Return, s *paths.State) events.Event {
	e := w.fn.Event(events.Exit, ret)
	e.How = events.Return
	if isError(w.fn.Program, ret, s) {
		e.How = events.ErrorReturn
	}
	if !ret.Pos().IsValid() {
		e.Pos = closing(w.fn.Code)
	}
	return e
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
	if !w.fn.Events.Directives.Drop(e.Pos) && !slices.ContainsFunc(w.exits, func(old events.Event) bool { return old.Pos == e.Pos }) {
		w.exits = append(w.exits, e)
	}
}

// isError reports whether a return certainly returns an error.
func isError(p *flow.Program, ret *ssa.Return, s *paths.State) bool {
	for _, r := range ret.Results {
		if !ssax.IsError(r.Type()) {
			continue
		}
		return !ssax.IsNil(s.Resolve(p.Stored(r)))
	}
	return false
}

// Merge notes whether a merged value is the object on an edge, or one that was made to be put for it.
func (w *keeper) Merge(phi *ssa.Phi, edge ssa.Value, s *paths.State) {
	if w.al.Of(phi) == nil {
		return
	}
	live, noted := s.Noted(edge)
	if _, isPhi := edge.(*ssa.Phi); !isPhi && !noted {
		live = w.al.Of(edge) != nil || !ssax.IsNil(edge) && w.fn.GetOf(w.fn.Program.Origin(edge)) == nil
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
		if i < c.Captures && w.al.Of(arg) != nil && (c.Summary.MayPut.Has(i) || keepsPrevious(c, i)) {
			return true
		}
	}
	return false
}

// keepsPrevious reports whether what a getter returns holds argument i.
func keepsPrevious(c *flow.Call, i int) bool {
	return (c.Summary.Retains | c.Summary.Keeps).Has(i) || len(summary.With(c.Summary.Returns, i)) > 0
}

// Branch does not take edges on which there is no object, on which it goes
// elsewhere, or on which it is left out because it is not fit to be kept.
func (w *keeper) Branch(cond *ssa.If, taken bool, s *paths.State) bool {
	sent := ssax.Chosen(cond.Cond) // by the case of a select
	if w.absent(cond.Cond, taken) || taken && sent != nil && sent.Send != nil && w.out(sent.Send) || w.rest.tellsPut(cond.Cond, taken, s) {
		return false
	}
	if len(w.reach) == 0 || guard(w.fate) { // a hold is given up whatever it holds
		return true
	}
	succ, other := ssax.Edge(cond, taken)
	of := flow.Conditions{Program: w.fn.Program, Object: func(v ssa.Value) bool { return w.al.Has(v) || toKeep(v, w.reach, w.whole) }}
	if !of.About(cond.Cond) || ofData(w.fate, cond) {
		return true
	}
	s.Note(judged, true)
	if !w.reach[succ] && w.reach[other] {
		return !w.left && of.ForWork(cond.Cond, other, func(b *ssa.BasicBlock) bool { return w.reach[b] }, func(i ssa.Instruction) bool { return w.ends[i] != goesOn })
	}
	return true
}

// toKeep reports whether a value is a slice that the function stores in the object in a block from
// which a put is reached: the object would keep it.
func toKeep(v ssa.Value, reach map[*ssa.BasicBlock]bool, whole func(ssa.Value) bool) bool {
	if !ssax.IsSlice(v.Type()) || v.Referrers() == nil {
		return false
	}
	return slices.ContainsFunc(*v.Referrers(), func(ref ssa.Instruction) bool {
		store, ok := ref.(*ssa.Store)
		if !ok || store.Val != v || !reach[store.Block()] {
			return false
		}
		field, ok := store.Addr.(*ssa.FieldAddr)
		return ok && whole(field.X)
	})
}

// blockOf returns the block of a get, nil if the object is a parameter.
func blockOf(get ssa.Instruction) *ssa.BasicBlock {
	if get == nil {
		return nil
	}
	return get.Block()
}

// keeperOf knows where a value ends that the function did not get, nil if that is too much.
func keeperOf(fn *scene.Function, v ssa.Value, s *summary.Summary) *keeper {
	al := fn.AliasesOf(v)
	if al == nil {
		return nil
	}
	return newKeeper(fn, track.Get{Call: flow.Call{Summary: s}, Value: v}, al)
}

// named reports whether a call that is named as one that gives up gets the object: what it does then is
// not known to be a put, and may end it all the same.
func (w *keeper) named(call ssa.CallInstruction) bool {
	c := w.code.Program.Resolve(call)
	return names.IsRelease(c.Name()) && slices.ContainsFunc(c.Args, func(arg ssa.Value) bool { return w.al.Of(arg) != nil || w.al.Captured(arg) })
}

// newKeeper finds the puts and hand-overs of an object.
func newKeeper(fn *scene.Function, g track.Get, al *alias.Set) *keeper {
	w := &keeper{
		fate: &fate{code: fn.Code, g: g, al: al, release: release(g), guessed: make(map[ssa.Instruction]bool), signals: make(map[ssa.Instruction]bool)},
		fn:   fn, ends: make(map[ssa.Instruction]end), puts: make(map[ssa.Instruction]bool), behind: make(map[token.Pos]bool),
	}
	w.rest = decider{w.fate, w.ends}
	if g.Call.Instr != nil {
		w.begin = g.Call.Instr
	}
	for instr := range ssax.Instrs(fn.F) {
		if _, ok := instr.(*ssa.Select); ok {
			for s := range ssax.Sends(instr) {
				if w.out(s.Value) {
					w.offers++
				}
			}
		}
		switch e := w.end(instr); e {
		case putBack:
			w.ends[instr] = e
			w.puts[instr] = true
		case handedOver:
			if w.onlyMemory(instr) {
				continue
			}
			w.ends[instr] = e
			w.transfers++
		}
	}
	if len(w.puts) > 0 {
		for instr := range w.signals { // whoever does not wait for it must not put
			w.ends[instr] = handedOver
			w.transfers++
		}
		w.reach = ssax.Reaching(w.puts, ssa.Instruction(g.Call.Instr))
		for instr := range w.guessed {
			if call, ok := instr.(*ssa.Call); ok && w.ends[instr] == handedOver && w.comesBack(call, w.reach) {
				delete(w.ends, instr)
				w.transfers--
			}
		}
	}
	return w
}

// ending returns the history in which an event is the end of the object.
func (w *keeper) ending(e events.Event) scene.Found {
	obj := w.fn.Made[w.g.Value]
	return scene.Found{Of: obj, History: events.History{Events: []events.Event{*obj.Get, e}}}
}

// comesBack reports whether a call of code that is not known only borrows the object: the
// function puts it afterwards, whatever the call returns, or at least where the call succeeds:
// no code takes an object over only where it fails. What the function with which a range over a
// function goes on returns says whether to go on, and nothing of the object.
func (w *keeper) comesBack(call *ssa.Call, reach map[*ssa.BasicBlock]bool) bool {
	begin := blockOf(w.g.Call.Instr)
	after := slices.ContainsFunc(call.Block().Succs, func(b *ssa.BasicBlock) bool { return reach[b] && b != begin })
	for put := range w.puts {
		after = after || put.Block() == call.Block() && ssax.Before(call, put)
	}
	if !after {
		return false
	}
	for _, b := range w.code.F.Blocks {
		cond, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || !ofResult(w.code.Program, cond.Cond, call, 0) {
			continue
		}
		fails := failingEdge(cond)
		for i, succ := range b.Succs {
			if (!reach[succ] || succ == begin) && i != fails && !isYield(call) {
				return false
			}
		}
	}
	return true
}

// failingEdge returns which successor of a condition is reached where it says that there is an error,
// -1 if it says nothing of the kind.
func failingEdge(cond *ssa.If) int {
	switch c := cond.Cond.(type) {
	case *ssa.BinOp:
		if !ssax.IsError(c.X.Type()) {
			return -1
		}
		if (c.Op == token.NEQ) == (ssax.IsNil(c.X) || ssax.IsNil(c.Y)) {
			return 0
		}
		return 1
	case *ssa.Call:
		if fn := c.Call.StaticCallee(); fn != nil && fn.String() == "errors.Is" {
			return 0
		}
	}
	return -1
}

// ofResult reports whether a condition is about a result of a call.
func ofResult(p *flow.Program, v ssa.Value, call *ssa.Call, depth int) bool {
	v = p.Stored(v)
	if v == ssa.Value(call) {
		return true
	}
	instr, ok := v.(ssa.Instruction)
	if !ok || depth > 6 {
		return false
	}
	if _, isCall := v.(*ssa.Call); isCall && depth > 3 {
		return false
	}
	for op := range ssax.Operands(instr) {
		if ofResult(p, op, call, depth+1) {
			return true
		}
	}
	return false
}

// isYield reports whether a call is of the function that a range over a function goes on with.
func isYield(call *ssa.Call) bool {
	prm, ok := call.Call.Value.(*ssa.Parameter)
	if !ok || !names.IsYield(prm.Name()) {
		return false
	}
	results := prm.Type().Underlying().(*types.Signature).Results()
	return results.Len() == 1 && types.Identical(results.At(0).Type().Underlying(), types.Typ[types.Bool])
}
