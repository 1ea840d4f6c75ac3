package late

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// Deferred finds what happens to an object after a deferred put of it: deferred
// calls run last in, first out, so what was deferred before runs after the put,
// and so do the callers with what is returned.
func Deferred(fn *scene.Function, p *track.Put) (found []scene.Found) {
	return deferred(fn, p, func() *paths.State { return p.State(fn.Walker) })
}

// deferred finds what happens after a deferred put, with what is known where it is deferred.
func deferred(fn *scene.Function, p *track.Put, known func() *paths.State) (found []scene.Found) {
	al := fn.Aliases(p)
	if al == nil {
		return found
	}
	byLiteral := readAtEnd(fn.Code)
	first := fn.PutEvent(p)
	w := &track.Follower{Table: fn.Table, Al: al, Start: p.Call.Instr, Place: p.Where()}
	add := func(instr ssa.Instruction, t track.Touch, deferred bool) {
		second := fn.Event(t.Kind, instr)
		second.How, second.What, second.Deferred = t.How, t.What, deferred
		if deferred {
			second.Node = onEachPath(second.Node, instr, p.Instr())
		}
		h := events.History{Events: append(fn.GetsOf(p), first, second), Reach: t.Reach}
		if t.How == events.Returned {
			h.Copyable = copyable(fn, instr, t.Value)
		}
		found = append(found, fn.Found(p, h))
	}

	// What was deferred before: with the arguments of then, or with what captured variables hold
	// at the end.
	earlier := func(d *ssa.Defer, s *paths.State) {
		if d == p.Call.Instr || ofEarlierRound(al, d, p) || !deferredBefore(fn.Code, d, p, s) {
			return
		}
		if t := w.View(s).Call(d); t.Kind != 0 && !(t.Kind == events.Put && fn.IsCounted(d)) {
			add(d, t, true)
		}
	}
	atOnce := func() {
		fn.Walker.FromWith(p.Call.Instr, known(), begins{call: func(s *paths.State) {
			for _, d := range fn.Defers {
				if !byLiteral[d] {
					earlier(d, s)
				}
			}
		}})
	}
	if !p.Captured {
		atOnce()
	}

	// What is returned.
	returned := func(ret *ssa.Return, s *paths.State) {
		if !stillDeferred(p, w, s) {
			return
		}
		if r := returnsOwner(fn.Code, p, w, ret, s); r != nil {
			add(ret, track.Touch{Kind: events.Use, How: events.Returned, Reach: events.Container, Value: r}, false)
			return
		}
		for _, r := range ret.Results {
			if w.Live(r, s, 0) && resultMatters(fn.Code, r) && !letGo(fn.Code, al, r, ret) && !forgotten(fn.Code, p, al, r) {
				add(ret, track.Touch{Kind: events.Use, How: events.Returned, Reach: al.Of(r).Reach, Value: r}, false)
				return
			}
		}
	}
	w.Leave = returned
	puts := make(map[string]events.Event) // before the deferred call runs, by what a path notes of them
	w.Defers = func(_ ssa.Instruction, s *paths.State) {
		for i, d := range slices.Backward(fn.Defers) {
			if d != p.Call.Instr {
				if byLiteral[d] {
					earlier(d, s)
				}
				if passed, _ := s.Noted(ssa.Instruction(d)); passed && w.View(s).Call(d).Kind == events.Put {
					note := fmt.Sprintf("put by the deferred call %d", i)
					puts[note] = fn.Event(events.Put, d)
					s.Note(note, true)
				}
				w.Ran(d, s)
				continue
			}
			if !stillDeferred(p, w, s) {
				return
			}
			for _, note := range slices.Sorted(maps.Keys(puts)) {
				if put, _ := s.Noted(note); put {
					found = append(found, fn.Found(p, events.History{Events: append(fn.GetsOf(p), puts[note], first)}))
				}
			}
			if p.Captured {
				atOnce()
			}
			w.Ran(d, s)
			setByLiteral(fn.Code, p, al, s)
		}
	}
	w.Found = func(instr ssa.Instruction, t track.Touch, s *paths.State) bool {
		if d, ok := instr.(*ssa.Defer); ok && byLiteral[d] && !fn.IsCounted(d) {
			s.Note(ssa.Instruction(d), true)
		}
		if call, ok := instr.(*ssa.Call); ok && t.Kind == events.Put && p.Place.Base == nil && !fn.IsCounted(call) {
			direct := fn.Event(events.Put, instr)
			direct.How, direct.What, direct.Node = t.How, t.What, onEachPath(direct.Node, p.Instr(), instr)
			note := fmt.Sprintf("put by %d", fn.Program.Number(call))
			puts[note] = direct
			s.Note(note, true)
		}
		_, isReturn := instr.(*ssa.Return)
		return !isReturn
	}
	rounds := loops(fn, p, first)
	fn.Walker.FromWith(p.Call.Instr, known(), w)
	for _, d := range fn.Defers {
		switch put := fn.Event(events.Put, d); {
		case ssax.Before(d, p.Call.Instr) && putsIfItPanics(fn.Code, al, p.Call.Instr, d):
			put.Deferred = true
			found = append(found, fn.Found(p, events.History{Events: append(fn.GetsOf(p), first, put), Reach: events.Field}))
		case ssax.Before(p.Call.Instr, d) && putsIfItPanics(fn.Code, al, d, d):
			found = append(found, fn.Found(p, events.History{Events: append(fn.GetsOf(p), put, first), Reach: events.Field}))
		}
	}
	return append(found, rounds...)
}

// ofEarlierRound reports whether a call that was deferred before a put has the object of an earlier round of
// a loop: on each path from there to the put another one is got.
func ofEarlierRound(al *alias.Set, d *ssa.Defer, p *track.Put) bool {
	got, ok := al.Root.(ssa.Instruction)
	return ok && ssax.Load(al.Root) == nil && !ssax.Before(d, p.Instr()) && !ssax.Passes(d.Block(), p.Instr().Block(), got.Block())
}

// begins is a visitor that is called once with each state in which a walk begins.
type begins struct {
	paths.Everywhere
	call func(s *paths.State)
}

// Visit ends the path.
func (v begins) Visit(_ ssa.Instruction, s *paths.State) bool {
	v.call(s)
	return false
}

// setByLiteral notes the results that the deferred literal of a put sets to
// memory of the object.
func setByLiteral(fn *track.Code, p *track.Put, al *alias.Set, s *paths.State) {
	if p.Call.Lit == nil || p.Call.Lit.Parent() != fn.F {
		return
	}
	for store := range ssax.Of[*ssa.Store](p.Call.Lit) {
		place, ok := fn.Program.Place(store.Addr)
		if info := al.Of(store.Val); ok && place.Local() && place != (memory.Var{Base: p.Arg}) && info != nil && info.Must && !info.Holder {
			s.Note(place, true)
		}
	}
}

// letGo reports whether the object has let go of the memory that a value is,
// before a return.
func letGo(fn *track.Code, al *alias.Set, v ssa.Value, ret *ssa.Return) bool {
	field, read := al.Of(v).Field, readOf(al, fn.Program.Stored(v), 0)
	return field != flow.None && (fn.DetachedBefore(al, read, ret)[field] || clearedByDefer(fn, al, field, read != nil))
}

// readOf returns the instruction that has read a value, or what it was made of, out of a field of the
// object; nil if that is not known.
func readOf(al *alias.Set, v ssa.Value, depth int) ssa.Instruction {
	if load := ssax.Load(v); load != nil {
		if at, ok := load.X.(*ssa.FieldAddr); ok && al.IsWhole(at.X) {
			return load
		}
	}
	if al.Of(v) == nil || depth > 8 {
		return nil
	}
	for _, source := range al.Sources(v) {
		if read := readOf(al, source, depth+1); read != nil {
			return read
		}
	}
	return nil
}

// clearedByDefer reports whether a deferred literal clears a field of the object, or, if what was in
// it was read, the whole object: it is the caller's then.
func clearedByDefer(fn *track.Code, al *alias.Set, field int, read bool) bool {
	for _, d := range fn.Defers {
		lit := fn.Program.Resolve(d).Lit
		if lit == nil || lit.Parent() != fn.F {
			continue
		}
		for s := range ssax.Of[*ssa.Store](lit) {
			if al.Of(s.Val) != nil {
				continue
			}
			if at, ok := s.Addr.(*ssa.FieldAddr); ok && at.Field == field && al.IsWhole(at.X) || read && al.IsWhole(s.Addr) {
				return true
			}
		}
	}
	return false
}

// stillDeferred reports whether a deferred literal finds the object in the
// variable that it captures.
func stillDeferred(p *track.Put, w *track.Follower, s *paths.State) bool {
	if !p.Captured {
		return true
	}
	alloc, ok := p.Arg.(*ssa.Alloc)
	return ok && w.Held(memory.Var{Base: alloc}, s)
}

// resultMatters reports whether a result refers to memory: an error that wraps
// text does not, one that is made here with the memory in it does.
func resultMatters(fn *track.Code, r ssa.Value) bool {
	if !ssax.IsError(r.Type()) {
		return true
	}
	m, ok := fn.Program.Stored(r).(*ssa.MakeInterface)
	return ok && ssax.Is[*ssa.Alloc](m.X)
}

// copyable returns the expression of a return statement that would have to be
// copied: one of type []byte.
func copyable(fn *scene.Function, ret ssa.Instruction, v ssa.Value) ast.Expr {
	stmt := fn.Syntax().Returns[ret.Pos()]
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

// loops notes a deferred put in a loop: nothing is put before the function ends, and what was got
// before the loop is put once for each round.
func loops(fn *scene.Function, p *track.Put, first events.Event) []scene.Found {
	b := p.Call.Instr.Block()
	if !ssax.Reaches(b, b) || onlyFirst(b) {
		return nil
	}
	next := fn.Event(events.Exit, p.Call.Instr)
	next.How, next.What = events.NextRound, p.Call.Name()
	if sameEachRound(fn.Code, p) {
		next = first
	}
	return []scene.Found{fn.Found(p, events.History{Events: append(fn.GetsOf(p), first, next)})}
}

// sameEachRound reports whether a path leads from a deferred put back to it with the same object.
func sameEachRound(fn *track.Code, p *track.Put) (again bool) {
	if p.Captured || p.Place.Base != nil {
		return false
	}
	b := p.Call.Instr.Block()
	for _, root := range p.Roots {
		if made, ok := root.(ssa.Instruction); ok && !ssax.Passes(b, b, made.Block()) {
			return false
		}
	}
	fn.Walker.From(p.Call.Instr, paths.Instrs{Each: func(instr ssa.Instruction) bool {
		again = again || instr == p.Call.Instr
		v, isValue := instr.(ssa.Value)
		return !again && !(isValue && slices.Contains(p.Roots, v))
	}})
	return again
}

// returnsOwner returns the result that is the struct whose field a deferred call
// has put.
func returnsOwner(fn *track.Code, p *track.Put, w *track.Follower, ret *ssa.Return, s *paths.State) ssa.Value {
	if p.Place.Base == nil || p.Sets || !w.Held(p.Place, s) {
		return nil
	}
	for _, r := range ret.Results {
		place, ok := fn.Program.Inside(r, "")
		if ok && p.Place.Within(place) && ssax.HasPointers(r.Type()) {
			return r
		}
	}
	return nil
}

// onlyFirst reports whether a block of a loop runs in one round at most: it stands under the
// question whether a variable is still nil, or false, and the loop sets the variable to nothing
// that is nil, or false, again.
func onlyFirst(b *ssa.BasicBlock) bool {
	for branch, d := range ssax.Above(b) {
		switch d {
		case branch.Block().Succs[0]:
			if x, isNil := ssax.NilTest(branch.Cond, true); isNil {
				if v, ok := x.(*ssa.Phi); ok && staysSet(v, b) {
					return true
				}
			}
		case branch.Block().Succs[1]: // of a variable that is asked for as it is, or with a !
			if v, ok := branch.Cond.(*ssa.Phi); ok && staysSet(v, b) {
				return true
			}
		}
	}
	return false
}

// staysSet reports whether each round in which a block ran gives a variable what is not nil, or
// true, and each other round leaves it as it is. A value that is not nil here is taken for one that
// never is.
func staysSet(v *ssa.Phi, b *ssa.BasicBlock) bool {
	set := false
	seen := map[ssa.Value]bool{v: true}
	var look func(value ssa.Value, from *ssa.BasicBlock) bool
	look = func(value ssa.Value, from *ssa.BasicBlock) bool {
		if seen[value] {
			return value != ssa.Value(v) || !b.Dominates(from)
		}
		seen[value] = true
		switch value := value.(type) {
		case *ssa.Const:
			set = true
			return value.Value != nil && (value.Value.Kind() != constant.Bool || constant.BoolVal(value.Value))
		case *ssa.Phi:
			for i, e := range value.Edges {
				if !look(e, value.Block().Preds[i]) {
					return false
				}
			}
			return true
		}
		set = true
		return !types.Identical(value.Type().Underlying(), types.Typ[types.Bool])
	}
	for i, e := range v.Edges {
		from := v.Block().Preds[i]
		if !v.Block().Dominates(from) {
			continue // before the loop
		}
		if !look(e, from) {
			return false
		}
	}
	return set
}

// forgotten reports whether the object has no memory in common with a value once its deferred put
// has run: the callee that puts it overwrites all of it first, and the value was read out of a
// field, or is memory that a method returned and that is no part of the object itself.
func forgotten(fn *track.Code, p *track.Put, al *alias.Set, v ssa.Value) bool {
	return p.Call.Summary.Detaches(p.Index, summary.All) && wasRead(al, fn.Program.Stored(v), 0)
}

func wasRead(al *alias.Set, v ssa.Value, depth int) bool {
	info := al.Of(v)
	if info == nil || depth > 8 {
		return false
	}
	if call, ok := v.(*ssa.Call); ok && ssax.IsMemory(call.Type()) && !hasArray(al.Type) {
		return true
	}
	sources := al.Sources(v)
	for _, source := range sources {
		if !wasRead(al, source, depth+1) {
			return false
		}
	}
	return len(sources) > 0
}

// hasArray reports whether the object has an array in itself: a slice of that stays a part of it.
func hasArray(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return hasArray(u.Elem())
	case *types.Array:
		return true
	case *types.Struct:
		for f := range u.Fields() {
			if _, isPointer := f.Type().Underlying().(*types.Pointer); !isPointer && hasArray(f.Type()) {
				return true
			}
		}
	}
	return false
}
