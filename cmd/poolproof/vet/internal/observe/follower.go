package observe

import (
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// follower is a visitor that knows, on each path from an instruction, which
// values and places are the object's.
type follower struct {
	*Table
	al       *alias.Set
	start    ssa.Instruction
	detached map[int]bool // fields that the object has let go of before
	place    memory.Var   // of an object that is known by its place alone
	chosen   *ssa.SelectState
	fails    ssa.Value
	rounds   bool      // what the root was in any round of a loop is the object
	owner    ssa.Value // the parameter that refers to the struct whose field holds the object, nil if that is not what the walk is about

	// found is called with what an instruction does with the object. It reports
	// whether the path goes on.
	found func(instr ssa.Instruction, t touch, s *paths.State) bool
	// defers is called where the deferred calls run.
	defers func(instr ssa.Instruction, s *paths.State)
	// leave is called at a return, before what it does is found. It may be nil.
	leave func(ret *ssa.Return, s *paths.State)
	// maybe is called where a callee puts the object on some of its paths, through a
	// struct whose field holds it. It may be nil.
	maybe func()
}

// Visit is called with each instruction of a path.
func (w *follower) Visit(instr ssa.Instruction, s *paths.State) bool {
	if v, ok := instr.(ssa.Value); ok && w.al.Of(v) != nil {
		if v == w.al.Root && ssax.Load(v) == nil {
			// Another object from here on. What still is the old one are variables
			// that carry it round the loop.
			if !w.carried(s) {
				return false
			}
			s.Note(reborn, true)
			s.Note(v, false)
			return true
		}
	}
	if _, ok := instr.(*ssa.RunDefers); ok && w.defers != nil {
		w.defers(instr, s)
		return true
	}
	if ret, ok := instr.(*ssa.Return); ok && w.leave != nil {
		w.leave(ret, s)
	}
	view := w.view(s)
	if call, ok := instr.(ssa.CallInstruction); ok && w.maybe != nil && view.mayPut(call) {
		w.maybe()
	}
	if t := view.touches(instr); t.kind != 0 && !w.found(instr, t, s) {
		return false
	}
	w.note(instr, s)
	return true
}

// reborn is noted when a loop has come back to where the object was got.
const reborn = "reborn"

// carried reports whether anything that is not computed anew still is the object.
func (w *follower) carried(s *paths.State) bool {
	found := false
	s.Noteds(func(what any, live bool) {
		phi, ok := what.(*ssa.Phi)
		if ok && live && w.al.Of(phi) != nil && !w.al.Of(phi).Holder {
			found = true
		}
	})
	return found
}

// note keeps what is an alias after an instruction.
func (w *follower) note(instr ssa.Instruction, s *paths.State) {
	if v, ok := instr.(ssa.Value); ok && w.al.Of(v) != nil {
		live := false
		if load := ssax.Load(v); v == w.al.Root && load != nil {
			place, ok := w.Program.Place(load.X)
			live = ok && w.held(place, s)
		} else if alloc, isAlloc := v.(*ssa.Alloc); isAlloc {
			live = w.al.IsWhole(alloc) && v != w.al.Root
		} else if place, loaded := w.al.Loaded(v); loaded {
			live = w.held(place, s)
		} else if !w.al.Never(v) {
			for _, source := range w.al.Sources(v) {
				live = live || w.live(source, s, 0)
			}
		}
		s.Note(v, live)
	}
	if v, ok := instr.(ssa.Value); ok {
		for _, place := range w.al.Based(v) {
			s.Note(place, false) // of another struct, which is computed here
		}
	}
	switch instr := instr.(type) {
	case *ssa.Store:
		place, ok := w.Program.Place(instr.Addr)
		if !ok || !w.al.Holds(place) {
			w.forget(place, ok, s)
			w.copied(instr, place, ok, s)
			return
		}
		live := w.live(instr.Val, s, 0)
		s.Note(place, live)
		if alloc, isAlloc := place.Base.(*ssa.Alloc); isAlloc && live && w.al.Of(alloc) != nil {
			s.Note(ssa.Value(alloc), true)
		}
	case ssa.CallInstruction:
		w.receive(instr, s)
	}
}

// forget ends what is known of the parts of a place that is overwritten.
func (w *follower) forget(place memory.Var, ok bool, s *paths.State) {
	if !ok {
		return
	}
	for _, v := range w.al.Parts(place) {
		s.Note(v, false)
	}
}

// copied notes which parts of a place hold the object after a struct was copied
// there.
func (w *follower) copied(store *ssa.Store, to memory.Var, ok bool, s *paths.State) {
	from, isCopy := w.Program.Copied(store)
	if !ok || !isCopy {
		return
	}
	for _, part := range w.al.Parts(to) {
		source := memory.Var{Base: from.Base, Path: from.Path + strings.TrimPrefix(part.Path, to.Path)}
		s.Note(part, w.al.Holds(source) && w.held(source, s))
	}
}

// receive ends what is known of the fields of what a call receives: it may set
// them anew.
func (w *follower) receive(call ssa.CallInstruction, s *paths.State) {
	c := w.Program.Resolve(call)
	if c.Builtin != "" || c.IsPool() {
		return
	}
	inner := c.Lit != nil
	var ended []memory.Var
	s.Noteds(func(what any, live bool) {
		v, isVar := what.(memory.Var)
		if !isVar || !live {
			return
		}
		if v.Local() {
			if inner && overwrites(w.Program, c.Lit, v) {
				ended = append(ended, v)
			}
			return
		}
		if w.passedOn(call, v) {
			ended = append(ended, v)
		}
	})
	if w.place.Base != nil && w.held(w.place, s) && w.passedOn(call, w.place) {
		ended = append(ended, w.place)
	}
	for _, v := range ended {
		s.Note(v, false)
	}
}

// Merge is called with each phi on an edge.
func (w *follower) Merge(phi *ssa.Phi, edge ssa.Value, s *paths.State) {
	if w.al.Of(phi) != nil {
		s.Note(ssa.Value(phi), w.live(edge, s, 0))
	}
	if edge != ssa.Value(phi) {
		for _, place := range w.al.Based(phi) {
			s.Note(place, false) // of another struct: the next one of a list
		}
	}
}

// Branch does not take edges on which there is no object.
func (w *follower) Branch(cond *ssa.If, taken bool, s *paths.State) bool {
	if state := ssax.Chosen(cond.Cond); w.chosen != nil && state != nil && sameSelect(cond.Cond, w.start) {
		return taken == (state == w.chosen)
	}
	if fails, asked := w.failing(cond, taken, s); asked {
		if fails {
			s.Note(failed, true)
		}
		return fails
	}
	b, ok := cond.Cond.(*ssa.BinOp)
	if !ok || b.Op != token.EQL && b.Op != token.NEQ {
		return true
	}
	x, y := b.X, b.Y
	if ssax.IsNil(x) {
		x, y = y, x
	}
	if !ssax.IsNil(y) {
		return true
	}
	isNil := (b.Op == token.EQL) == taken
	if isNil && w.owner != nil && x == w.owner {
		return false // then it holds nothing
	}
	return !isNil || !w.live(x, s, 0)
}

// sameSelect reports whether a condition asks which case an instruction chose.
func sameSelect(cond ssa.Value, sel ssa.Instruction) bool {
	b, ok := cond.(*ssa.BinOp)
	if !ok {
		return false
	}
	e, ok := b.X.(*ssa.Extract)
	return ok && e.Tuple == sel.(ssa.Value)
}

// live reports whether a value is an alias at this point of the path.
func (w *follower) live(v ssa.Value, s *paths.State, depth int) bool {
	if live, noted := s.Noted(v); noted {
		return live
	}
	info := w.al.Of(v)
	if info == nil || depth > 20 {
		return false
	}
	if again, _ := s.Noted(reborn); again {
		return false
	}
	if v == w.al.Root {
		return true
	}
	// It was computed before the walk began.
	if !info.Must {
		if place, loaded := w.al.Loaded(v); !loaded || !w.sameBlockBefore(v, place) {
			return false
		}
	}
	if info.Field != flow.None && (w.detached[info.Field] || w.takenOut(v, 0)) {
		return false
	}
	if w.detached[whole] && w.isMemory(v, info) {
		return false
	}
	return w.rounds || w.dominated(v)
}

// whole is the field of detached that stands for the whole struct.
const whole = 1 << 16

// isMemory reports whether an alias is not the object but memory that it hands
// out, by a method: no longer its own once the whole struct is overwritten.
func (w *follower) isMemory(v ssa.Value, info *alias.Alias) bool {
	return info.Field == flow.None && ssax.IsSlice(v.Type()) && !ssax.IsSlice(w.al.Root.Type())
}

// sameBlockBefore reports whether a load of a place stands just before the walk
// began, in a block where the place is not written: it is what the walk is about.
func (w *follower) sameBlockBefore(v ssa.Value, place memory.Var) bool {
	load, ok := v.(*ssa.UnOp)
	root := ssax.Load(w.al.Root)
	if !ok || root == nil {
		return false
	}
	at, ok := w.Program.Place(root.X)
	if !ok || at != place || load.Block() != root.Block() {
		return false
	}
	i, j := slices.Index(load.Block().Instrs, ssa.Instruction(load)), slices.Index(load.Block().Instrs, ssa.Instruction(root))
	for k := min(i, j); k < max(i, j); k++ {
		switch instr := load.Block().Instrs[k].(type) {
		case *ssa.Store:
			if v, ok := w.Program.Place(instr.Addr); ok && place.Within(v) {
				return false
			}
		case ssa.CallInstruction:
			for _, arg := range w.Program.Resolve(instr).Args {
				if arg == place.Base {
					return false
				}
			}
		}
	}
	return true
}

// dominated reports whether a value belongs to the object of this iteration: it
// is computed where the object is known already.
func (w *follower) dominated(v ssa.Value) bool {
	root, ok := w.al.Root.(ssa.Instruction)
	if !ok || root.Block() == nil {
		return true
	}
	instr, ok := v.(ssa.Instruction)
	if !ok || instr.Block() == nil || instr.Parent() != root.Parent() {
		return true
	}
	if phi, isPhi := v.(*ssa.Phi); isPhi && phi.Block() == root.Block() && v != w.al.Root {
		return false // it was merged before this round's object was got: it is from an earlier round
	}
	if _, isAlloc := v.(*ssa.Alloc); isAlloc {
		return !w.al.Of(v).Holder || root.Block().Dominates(instr.Block())
	}
	return root.Block().Dominates(instr.Block())
}

// held reports whether a place holds the object at this point of the path.
func (w *follower) held(place memory.Var, s *paths.State) bool {
	if live, noted := s.Noted(place); noted {
		return live
	}
	if !w.al.Holds(place) {
		if _, isBoxed := place.Base.(*ssa.Alloc); isBoxed && ssa.Value(place.Base) == w.al.Root {
			return true
		}
		return false
	}
	if w.al.Root == nil {
		return place == w.place
	}
	if root := ssax.Load(w.al.Root); root != nil {
		if at, ok := w.Program.Place(root.X); ok && at == place {
			return !w.movedOn(root, place) // what is put was just read there
		}
	}
	return w.al.MustHold(w.start, place)
}

// movedOn reports whether a place may have been written between a load of it and
// the start of the walk.
func (w *follower) movedOn(load *ssa.UnOp, place memory.Var) bool {
	if load.Parent() != w.start.Parent() {
		return false
	}
	for _, s := range w.Program.StoresTo(load.Parent(), place) {
		if s.Parent() == load.Parent() && ssax.Before(load, s) && ssax.MayPrecede(s, w.start) && !ssax.Before(w.start, s) {
			return true
		}
	}
	return false
}

func (w *follower) view(s *paths.State) *view {
	return &view{
		Table: w.Table, al: w.al,
		live: func(v ssa.Value) bool { return v != nil && w.live(v, s, 0) },
		held: func(place memory.Var) bool { return w.held(place, s) },
	}
}

// takenOut reports whether a value was read out of a field of the object that is then
// set to something else in the same block: err = x.errs; x.errs = nil.
func (w *follower) takenOut(v ssa.Value, depth int) bool {
	if load := ssax.Load(v); load != nil {
		field, ok := load.X.(*ssa.FieldAddr)
		if !ok || !w.al.IsWhole(field.X) {
			return false
		}
		for _, instr := range load.Block().Instrs {
			s, ok := instr.(*ssa.Store)
			if !ok || w.al.Of(s.Val) != nil || !ssax.Before(load, s) || !ssax.MayPrecede(s, w.start) {
				continue
			}
			if at, ok := s.Addr.(*ssa.FieldAddr); ok && at.Field == field.Field && w.al.IsWhole(at.X) {
				return true
			}
		}
		return false
	}
	if depth > 5 || w.al.Of(v) == nil {
		return false
	}
	for _, source := range w.al.Sources(v) {
		if w.takenOut(source, depth+1) {
			return true
		}
	}
	return false
}
