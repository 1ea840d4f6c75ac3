package lost

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// end ends the search on a path: a put, or a hand-over.
type end uint8

const (
	goesOn end = iota
	putBack
	handedOver
)

// releasePassed reports whether an instruction takes the release function
// elsewhere.
func (w *fate) releasePassed(instr ssa.Instruction) bool {
	if w.release == nil {
		return false
	}
	for op := range ssax.Operands(instr) {
		if op == w.release {
			call, isCall := instr.(ssa.CallInstruction)
			return !isCall || call.Common().Value != w.release
		}
	}
	return false
}

// end classifies an instruction. Any alias counts, those that are one on some
// paths only too: this excuses.
func (w *fate) end(instr ssa.Instruction) end {
	if w.releasePassed(instr) || w.givesOwnEnd(instr) {
		return handedOver
	}
	switch instr := instr.(type) {
	case *ssa.UnOp:
		if w.copied(instr) {
			return handedOver
		}
	case *ssa.Return:
		for _, r := range instr.Results {
			if w.out(w.code.Program.Stored(r)) { // a function with defers has its results in variables
				return handedOver
			}
		}
	case *ssa.Store:
		if w.out(instr.Val) && !w.al.TakenOut(instr.Val, func(*ssa.Store) bool { return true }) && (!w.inner(instr.Addr) || w.shown(instr.Addr)) {
			return handedOver
		}
	case *ssa.MapUpdate:
		if w.out(instr.Value) || w.out(instr.Key) {
			return handedOver // collected: the code that goes through the map puts it
		}
	case *ssa.Send:
		if w.out(instr.X) {
			return handedOver
		}
	case *ssa.MakeClosure:
		return w.closure(instr)
	case ssa.CallInstruction:
		c := w.code.Program.Resolve(instr)
		return w.resolved(&c)
	}
	return goesOn
}

// copied reports whether an instruction copies the struct that holds the object to where
// its address is known: the copy is the one that ends it.
func (w *fate) copied(load *ssa.UnOp) bool {
	if ssax.Load(load) == nil || !w.g.Holder() || !w.al.IsWhole(load.X) {
		return false
	}
	if _, isStruct := load.Type().Underlying().(*types.Struct); !isStruct {
		return false
	}
	for _, ref := range *load.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			place, ok := w.code.Program.Place(ref.Addr)
			if !ok || !place.Local() || place.Base.(*ssa.Alloc).Heap {
				return true
			}
		case *ssa.Field, *ssa.DebugRef:
		default:
			return true
		}
	}
	return false
}

// inner reports whether an address is of the function's own memory, or of the
// object.
func (w *fate) inner(addr ssa.Value) bool {
	if at := w.al.Of(addr); at != nil && at.Must && !at.Holder {
		return true
	}
	if place, ok := w.code.Program.Place(addr); ok {
		if alloc, isAlloc := place.Base.(*ssa.Alloc); isAlloc && place.Local() {
			return alloc.Parent() == w.code.F
		}
		base := w.al.Of(place.Base)
		return base != nil && base.Must && !base.Holder
	}
	return false
}

// shown reports whether the address of a variable goes where others can read it.
func (w *fate) shown(addr ssa.Value) bool {
	alloc, ok := addr.(*ssa.Alloc)
	return ok && w.al.Of(alloc) == nil && w.code.Program.Stores(alloc).Unknown
}

// onlyUsed reports whether a goroutine does nothing with argument i by which an object could end: it
// ends with the goroutine, and no code is left that could put it.
func (w *fate) onlyUsed(c *flow.Call, i int) bool {
	s := c.Summary
	if w.al.Type == nil || c.Lit == nil || s.Lingers != nil || s.Starts.Has(i) || s.Takes(i) || w.stored(c, i) {
		return false
	}
	ends := false
	w.code.Each(c, func(_ memory.Var, e summary.FieldEffect) bool {
		ends = ends || e.MayPut || e.Puts || e.Taken
		return !ends
	})
	if ends || i < c.Captures && w.al.Of(c.Args[i]).Holder || i >= c.Captures && w.literal(c.Lit) != goesOn {
		return false
	}
	if w.signals != nil && tells(w.code.Program, c.Lit) {
		w.signals[c.Instr] = true
	}
	return true
}

// tells reports whether a function sends, closes a channel, or says to others that work is done.
func tells(p *flow.Program, f *ssa.Function) bool {
	for instr := range ssax.Instrs(f) {
		switch instr := instr.(type) {
		case *ssa.Send, *ssa.Select:
			return true
		case ssa.CallInstruction:
			if c := p.Resolve(instr); c.Builtin == "close" || names.IsSignal(c.Name()) {
				return true
			}
		}
	}
	return false
}

// closure classifies a literal: one that is called, deferred or started here is looked at
// where that happens, any other takes the object along.
func (w *fate) closure(made *ssa.MakeClosure) end {
	for _, b := range made.Bindings {
		if w.al.Of(b) == nil && !w.al.Captured(b) {
			continue
		}
		if !onlyRuns(made) && (!w.onlyLent(made) || w.literal(made.Fn.(*ssa.Function)) != goesOn) {
			return handedOver
		}
	}
	return goesOn
}

// onlyLent reports whether a literal goes nowhere but to functions that call it,
// as far as is known, before they return; and does nothing itself by which the
// object would become somebody else's.
func (w *fate) onlyLent(made *ssa.MakeClosure) bool {
	lit, ok := made.Fn.(*ssa.Function)
	body := ok && isLoopBody(lit)
	if !ok || w.code.Program.Own(lit) == nil || lit.Synthetic != "" && !body {
		return false
	}
	s := w.code.Program.Own(lit)
	for i, b := range made.Bindings {
		prm := len(lit.Params) + i
		if (w.al.Of(b) != nil || w.al.Captured(b)) &&
			(s.Gives(prm) || (s.MayPut | s.RefPut | s.Retains | s.Keeps | s.Lends).Has(prm) || s.Lingers != nil) {
			return false
		}
	}
	return body || w.code.Program.OnlyLent(made)
}

// onlyRuns reports whether a literal is called, deferred or started where it stands, and nothing
// else becomes of it.
func onlyRuns(made *ssa.MakeClosure) bool {
	for _, ref := range *made.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case ssa.CallInstruction:
			if ref.Common().Value != ssa.Value(made) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// isLoopBody reports whether a function is the body of a range over a function: it is
// called while the loop runs, and panics afterwards.
func isLoopBody(f *ssa.Function) bool { return f.Synthetic == "range-over-func yield" }

func (w *fate) resolved(c *flow.Call) end {
	if c.Instr == w.g.Call.Instr {
		return goesOn
	}
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
	if !c.Started() && (w.putsField(c) || w.endsHolder(c)) {
		return putBack
	}
	if handsToLiteral(c, w.al, w.code.Program) {
		return handedOver
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
		case s.MayPut.Has(i), s.MayEmpty.Has(i):
			return putBack
		case s.Collects.Has(i) && i < c.Captures && (w.al.Of(arg).Args || w.al.Of(arg).Holder):
			result = handedOver // an element of the list
		case s.RefPut.Has(i), s.Retains.Has(i) && !s.Borrows.Has(i), c.Started() && !w.onlyUsed(c, i):
			result = handedOver
		case s.Borrows.Has(i):
		case i == 0 && replaced(w.code, c):
			result = handedOver
		case i >= c.Captures:
			if s.Lends.Has(i) {
				result = handedOver // to what the literal calls
			} else if c.Lit != nil {
				result = max(result, w.literal(c.Lit))
			}
		case c.Started():
		case w.al.Of(arg).Args:
		case s.Lends.Has(i) && !w.al.Of(arg).Holder, // to code that the callee does not know
			c.Fn == nil && c.Lit == nil && w.whole(arg) && !c.Borrows(w.code.Program, i), // a function value
			c.Invoke && i > 0 && !ssax.Standard(c.Fn):                                    // what is in a list or a struct goes along
			if result == goesOn && w.guessed != nil {
				w.guessed[c.Instr] = true
			}
			result = handedOver
			continue
		case c.Invoke && names.IsRelease(c.Name()):
			result = handedOver
		case w.stored(c, i):
			result = handedOver
		case c.Fn != nil && i == 0 && names.IsRelease(c.Name()) && w.al.Of(arg).Holder:
			result = handedOver
		}
	}
	return result
}

// replaced reports whether an object is used for nothing but a method of another package that returns
// another object of its type in its place: it was left by those who made it, not by who calls them.
func replaced(fn *track.Code, c *flow.Call) bool {
	call, ok := c.Instr.(*ssa.Call)
	r, _ := c.Summary.Return(0)
	return ok && flow.IsMethod(c) && c.Fn.Pkg() != fn.F.Pkg.Pkg && names.IsDerived(c.Name()) && !(r.From | r.May).Has(0) &&
		types.Identical(call.Type(), c.Args[0].Type()) && len(*c.Args[0].Referrers()) == 1
}

// literal returns what the calls in a literal do with the object that it captures, which
// is more than its summary says: they may be of methods that are named as ones that end
// it.
func (w *fate) literal(lit *ssa.Function) end {
	if e, ok := w.within[lit]; ok {
		return e
	}
	if w.within == nil {
		w.within = make(map[*ssa.Function]end)
	}
	w.within[lit] = goesOn // if it calls itself
	does := goesOn
	for call := range ssax.Of[ssa.CallInstruction](lit) {
		c := w.code.Program.Resolve(call)
		does = max(does, w.resolved(&c))
	}
	w.within[lit] = does
	return does
}

// putsField reports whether a callee puts the object through a struct that holds
// it.
func (w *fate) putsField(c *flow.Call) (puts bool) {
	w.code.Each(c, func(place memory.Var, e summary.FieldEffect) bool {
		puts = puts || e.Puts && w.al.Holds(place)
		return !puts
	})
	return puts
}

// fate tells of single instructions whether they end the object that a get returned, and
// of conditions whether there is an object at all.
type fate struct {
	code    *track.Code
	g       track.Get
	al      *alias.Set
	release ssa.Value // the function that the getter returned to end the object, or nil

	guessed map[ssa.Instruction]bool // hand-overs to code that is not known
	signals map[ssa.Instruction]bool // goroutines that only use the object, and tell others when they end
	within  map[*ssa.Function]end    // what literals do with the object: see literal
}

// release returns the function that a getter returned beside an object, to end
// it.
func release(g track.Get) ssa.Value {
	e, ok := g.Value.(*ssa.Extract)
	if !ok {
		return nil
	}
	for _, lease := range g.Call.Summary.Leases {
		if lease.From.Has(e.Index) {
			return g.Call.Result(lease.To)
		}
	}
	return nil
}

// out reports whether a value is the object, or refers to it for longer than a
// call.
func (w *fate) out(v ssa.Value) bool {
	info := w.al.Of(v)
	return info != nil && !info.Args
}

func (w *fate) whole(v ssa.Value) bool {
	info := w.al.Of(v)
	return info != nil && !info.Holder && info.Field == flow.None
}

// stored reports whether a callee stores argument i in an argument that is not
// the function's own.
func (w *fate) stored(c *flow.Call, i int) bool {
	return slices.ContainsFunc(summary.With(c.Summary.Into, i), func(into summary.Flow) bool {
		return into.To < len(c.Args) && !w.al.Has(c.Args[into.To])
	})
}

// endsHolder reports whether a call puts what a struct holds that has a pooled
// object in it, or is of a method of the struct that is named as one that does.
func (w *fate) endsHolder(c *flow.Call) (ends bool) {
	holder := w.g.Holder()
	if w.closes(c) && (holder || slices.ContainsFunc(c.Summary.Fields, func(e summary.FieldEffect) bool { return e.Puts && e.Param == 0 })) {
		return true // it may do so under a condition of its own
	}
	if !holder {
		return false
	}
	for i, arg := range c.Args {
		ends = ends || (c.Summary.Gives(i) || c.Summary.MayPut.Has(i)) && holds(w, arg) || moves(w, c, i)
	}
	w.code.Each(c, func(place memory.Var, e summary.FieldEffect) bool {
		ends = ends || (e.Puts || e.MayPut) && inHolder(w, place)
		return !ends
	})
	return ends
}

// moves reports whether a callee sets a field of the struct, argument i, that holds the object: where it
// is no pointer, the hold is another one's then.
func moves(w *fate, c *flow.Call, i int) bool {
	return guard(w) && inHolder(w, memory.Var{Base: c.Args[i]}) && slices.ContainsFunc(c.Summary.Detach, func(d summary.Fields) bool { return d.Param == i })
}

// inHolder reports whether a place is in the struct that holds the object.
func inHolder(w *fate, place memory.Var) bool {
	return place.Base == w.g.Value || w.al.IsWhole(place.Base) || w.al.Captured(place.Base)
}

// guard reports whether the object is held by a struct that is no pointer.
func guard(w *fate) bool {
	return w.al.Type != nil && ssax.Is[*types.Struct](w.al.Type.Underlying())
}

// holds reports whether a value is what a field of the struct holds.
func holds(w *fate, v ssa.Value) bool {
	load := ssax.Load(w.code.Program.Origin(v))
	if load == nil {
		return false
	}
	place, ok := w.code.Program.Place(load.X)
	return ok && !place.Local() && inHolder(w, place)
}

// closes reports whether a call is of a method of the object that is named as one
// that ends it.
func (w *fate) closes(c *flow.Call) bool {
	if !flow.IsMethod(c) || c.Invoke || !names.IsRelease(c.Name()) || len(c.Args) == 0 {
		return false
	}
	info := w.al.Of(c.Args[0])
	return info != nil && !info.Holder
}

// givesOwnEnd reports whether an instruction takes a function of the object elsewhere, one
// without parameters that stands in a field of it, or calls it by a name that ends something: that
// function may put the object.
func (w *fate) givesOwnEnd(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Return:
		for _, r := range instr.Results {
			if w.ownEnd(w.code.Program.Stored(r)) != nil {
				return true
			}
		}
	case *ssa.Store:
		return w.ownEnd(instr.Val) != nil && !w.inner(instr.Addr)
	case *ssa.Send:
		return w.ownEnd(instr.X) != nil
	case ssa.CallInstruction:
		if f := w.ownEnd(instr.Common().Value); f != nil && names.IsRelease(f.Name()) {
			return true
		}
		for _, arg := range instr.Common().Args {
			if w.ownEnd(arg) != nil {
				return true
			}
		}
	}
	return false
}

// ownEnd returns the field of the object from which a function without parameters was read, nil
// if v is no such function.
func (w *fate) ownEnd(v ssa.Value) *types.Var {
	load := ssax.Load(v)
	if load == nil {
		return nil
	}
	field, ok := load.X.(*ssa.FieldAddr)
	if !ok || !w.whole(field.X) {
		return nil
	}
	if sig, ok := v.Type().Underlying().(*types.Signature); !ok || sig.Params().Len() > 0 {
		return nil
	}
	return ssax.FieldVar(field)
}

// handsToLiteral reports whether a call gets the object and, with it, a function of
// the package that puts one of its parameters: who is called will pass the one to
// the other, when the time has come.
func handsToLiteral(c *flow.Call, al *alias.Set, p *flow.Program) bool {
	gets, puts := false, false
	for i, arg := range c.Args {
		if i >= c.Captures {
			break
		}
		if al.Of(arg) != nil {
			gets = true
		}
		if lit, ok := arg.(*ssa.Function); ok {
			s := p.Own(lit)
			for prm := range lit.Params {
				puts = puts || s != nil && (s.Gives(prm) || (s.MayPut|s.RefPut).Has(prm))
			}
		}
	}
	return gets && puts
}
