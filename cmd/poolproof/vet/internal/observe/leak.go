package observe

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/infer"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// leaks walks from a get along all paths to a return, or back to the get, on
// which the object is neither put nor handed to somebody else.
func (fn *function) leaks(g get) {
	if fn.out.Test || !refers(fn.made[g.value].Type) {
		return
	}
	al := fn.bounded(fn.Program.AliasesOf(g.value))
	if al == nil {
		return
	}
	w := &keeper{fn: fn, g: g, al: al, ends: make(map[ssa.Instruction]end), behind: make(map[token.Pos]bool), release: fn.release(g)}
	fn.classify(w)
	if len(w.puts) > 0 {
		w.reach = infer.Reaching(w.puts)
	}
	if len(w.puts) == 0 && w.transfers > 0 {
		fn.replaced(w)
		return // somebody else's to put
	}
	if fn.Events.Directives.Drop(position(g.call.Instr)) {
		return
	}
	obj := fn.made[g.value]
	if len(w.puts) == 0 {
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

// endsAlways reports whether a function has no return: the program ends with it.
func (fn *function) endsAlways() bool {
	for _, b := range fn.f.Blocks {
		if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && b != fn.f.Recover {
			return false
		}
	}
	return true
}

// end is what ends the search on a path: a put, or a hand-over.
type end uint8

const (
	goesOn end = iota
	putBack
	handedOver
)

// keeper is a visitor that looks for paths on which an object is lost.
type keeper struct {
	fn        *function
	g         get
	al        *flow.Aliases
	ends      map[ssa.Instruction]end
	puts      map[ssa.Instruction]bool
	transfers int
	reach     map[*ssa.BasicBlock]bool
	exits     []events.Event
	behind    map[token.Pos]bool // exits that the get does not dominate: behind the loop that it is in
	release   ssa.Value          // the function that the getter returned to end the object, or nil
}

// release returns the function that a getter returned beside an object, to end
// it.
func (fn *function) release(g get) ssa.Value {
	e, ok := g.value.(*ssa.Extract)
	if !ok {
		return nil
	}
	for _, lease := range g.call.Summary.Leases {
		if lease.From.Has(e.Index) {
			return g.call.Result(lease.To)
		}
	}
	return nil
}

// releasePassed reports whether an instruction takes the release function
// elsewhere.
func (w *keeper) releasePassed(instr ssa.Instruction) bool {
	if w.release == nil {
		return false
	}
	var operands [8]*ssa.Value
	for _, op := range instr.Operands(operands[:0]) {
		if *op != w.release {
			continue
		}
		call, isCall := instr.(ssa.CallInstruction)
		return !isCall || call.Common().Value != w.release
	}
	return false
}

// classify finds the puts and hand-overs of the object.
func (fn *function) classify(w *keeper) {
	w.puts = make(map[ssa.Instruction]bool)
	for _, b := range fn.f.Blocks {
		for _, instr := range b.Instrs {
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

// end classifies an instruction. Any alias counts, those that are one on some
// paths only too: this excuses.
func (w *keeper) end(instr ssa.Instruction) end {
	if w.releasePassed(instr) {
		return handedOver
	}
	switch instr := instr.(type) {
	case *ssa.Return:
		for _, r := range instr.Results {
			if w.out(r) {
				return handedOver
			}
		}
	case *ssa.Store:
		if w.out(instr.Val) && (!w.inner(instr.Addr) || w.shown(instr.Addr)) {
			return handedOver
		}
	case *ssa.MapUpdate:
		if (w.out(instr.Value) || w.out(instr.Key)) && !isLocalMap(instr.Map) {
			return handedOver
		}
	case *ssa.Send:
		if w.out(instr.X) {
			return handedOver
		}
	case *ssa.MakeClosure:
		return w.closure(instr)
	case ssa.CallInstruction:
		return w.call(instr)
	}
	return goesOn
}

// out reports whether a value is the object, or refers to it for longer than a
// call.
func (w *keeper) out(v ssa.Value) bool {
	info := w.al.Of(v)
	return info != nil && !info.Args
}

func isLocalMap(m ssa.Value) bool {
	_, ok := m.(*ssa.MakeMap)
	return ok
}

// inner reports whether an address is of the function's own memory, or of the
// object.
func (w *keeper) inner(addr ssa.Value) bool {
	if at := w.al.Of(addr); at != nil && at.Must && !at.Holder {
		return true
	}
	if place, ok := w.fn.Program.Place(addr); ok {
		if alloc, isAlloc := place.Base.(*ssa.Alloc); isAlloc && place.Local() {
			return alloc.Parent() == w.fn.f
		}
		base := w.al.Of(place.Base)
		return base != nil && base.Must && !base.Holder
	}
	if index, ok := addr.(*ssa.IndexAddr); ok {
		info := w.al.Of(index.X)
		return info != nil // a local list: what becomes of it tells
	}
	return false
}

// shown reports whether the address of a variable goes where others can read it.
func (w *keeper) shown(addr ssa.Value) bool {
	alloc, ok := addr.(*ssa.Alloc)
	return ok && w.al.Of(alloc) == nil && w.fn.Program.Stores(alloc).Unknown
}

// closure classifies a literal: one that is called or deferred here is looked at
// where that happens, any other takes the object along.
func (w *keeper) closure(made *ssa.MakeClosure) end {
	for _, b := range made.Bindings {
		if w.al.Of(b) == nil && !w.al.Captured(b) {
			continue
		}
		if !infer.OnlyCalled(made) {
			return handedOver
		}
	}
	return goesOn
}

func (w *keeper) call(instr ssa.CallInstruction) end {
	if instr == w.g.call.Instr {
		return goesOn
	}
	c := w.fn.Program.Resolve(instr)
	if c.Builtin == "append" && len(c.Args) > 1 {
		if info := w.al.Of(c.Args[1]); info != nil && info.Holder {
			return handedOver // collected: who goes through the list puts it
		}
	}
	if c.Builtin != "" {
		return goesOn
	}
	result := goesOn
	s := c.Summary
	if !c.Started() && w.putsField(&c) {
		return putBack
	}
	for i, arg := range c.Args {
		var concerned bool
		if i >= c.Captures {
			concerned = w.al.Captured(arg)
		} else {
			concerned = w.al.Of(arg) != nil
		}
		if !concerned {
			continue
		}
		switch {
		case s.Gives(i):
			return putBack
		case s.MayPut.Has(i):
			return putBack
		case s.RefPut.Has(i), s.Retains.Has(i) && !s.Borrows.Has(i), c.Started():
			result = handedOver
		case s.Borrows.Has(i):
		case i >= c.Captures:
			if s.Lends.Has(i) {
				result = handedOver // to what the literal calls
			}
		case w.al.Of(arg).Args:
		case s.Lends.Has(i) && !w.al.Of(arg).Holder:
			result = handedOver
		case c.Fn == nil && c.Lit == nil && w.whole(arg):
			result = handedOver // a function value
		case c.Invoke && i > 0 && w.whole(arg) && !isStandard(c.Fn):
			result = handedOver
		case c.Invoke && flow.IsRelease(c.Name()):
			result = handedOver
		case !w.al.Of(arg).Holder && w.stored(&c, i):
			result = handedOver
		case c.Fn != nil && i == 0 && flow.IsRelease(c.Name()) && w.al.Of(arg).Holder:
			result = handedOver
		}
	}
	return result
}

// putsField reports whether a callee puts the object through a struct that holds
// it.
func (w *keeper) putsField(c *flow.Call) (puts bool) {
	w.fn.effects(c, func(place flow.Var, e summary.FieldEffect) bool {
		puts = puts || e.Puts && w.al.Holds(place)
		return !puts
	})
	return puts
}

// stored reports whether a callee stores argument i in an argument that is not
// the function's own.
func (w *keeper) stored(c *flow.Call, i int) bool {
	for _, into := range c.Summary.Into {
		if !(into.From | into.May).Has(i) || into.To >= len(c.Args) {
			continue
		}
		if w.al.Of(c.Args[into.To]) == nil {
			return true
		}
	}
	return false
}

func (w *keeper) whole(v ssa.Value) bool {
	info := w.al.Of(v)
	return info != nil && !info.Holder && info.Field == flow.None
}

func isStandard(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return true
	}
	for _, r := range fn.Pkg().Path() {
		switch r {
		case '.':
			return false
		case '/':
			return true
		}
	}
	return true
}

// Visit ends a path well or badly.
func (w *keeper) Visit(instr ssa.Instruction, s *paths.State) bool {
	if w.ends[instr] != goesOn {
		return false
	}
	if instr == ssa.Instruction(w.g.call.Instr) {
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
		if w.ends[d] != goesOn && before(d, w.g.call.Instr) {
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
		if !types.Identical(r.Type(), types.Universe.Lookup("error").Type()) {
			continue
		}
		if phi, ok := r.(*ssa.Phi); ok && s.Edge(phi) != nil {
			r = s.Edge(phi)
		}
		return !flow.IsNil(r)
	}
	return false
}

// Merge does nothing.
func (w *keeper) Merge(*ssa.Phi, ssa.Value, *paths.State) {}

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

func (w *keeper) isObject(v ssa.Value) bool { return w.al.Of(v) != nil }

// absent reports whether there is no object where a condition has a value: it is
// nil, the assertion of its type failed, or the getter said that it failed.
func (w *keeper) absent(cond ssa.Value, value bool) bool {
	switch c := cond.(type) {
	case *ssa.UnOp:
		return c.Op == token.NOT && w.absent(c.X, !value)
	case *ssa.Extract:
		if value {
			return false
		}
		if a, ok := c.Tuple.(*ssa.TypeAssert); ok && c.Index == 1 {
			return w.al.Of(a.X) != nil
		}
		return c.Tuple == w.tuple()
	case *ssa.BinOp:
		if c.Op != token.EQL && c.Op != token.NEQ {
			return false
		}
		x, y := c.X, c.Y
		if flow.IsNil(x) {
			x, y = y, x
		}
		if !flow.IsNil(y) {
			return false
		}
		isNil := (c.Op == token.EQL) == value
		if e, ok := w.fn.Program.Stored(x).(*ssa.Extract); ok && e.Tuple == w.tuple() && types.Identical(e.Type(), types.Universe.Lookup("error").Type()) {
			return !isNil
		}
		return isNil && w.al.Of(x) != nil
	}
	return false
}

// tuple returns the results of the get, if it has several.
func (w *keeper) tuple() ssa.Value {
	if e, ok := w.g.value.(*ssa.Extract); ok {
		return e.Tuple
	}
	return nil
}

// selected reports whether a condition says that the case of a select was chosen
// which sends the object.
func (w *keeper) selected(cond ssa.Value, value bool) bool {
	if !value {
		return false
	}
	state := chosen(cond)
	return state != nil && state.Send != nil && w.out(state.Send)
}
