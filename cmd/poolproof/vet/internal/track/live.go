package track

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// Live reports whether a value is an alias at this point of the path.
func (w *Follower) Live(v ssa.Value, s *paths.State, depth int) bool {
	if live, noted := s.Noted(v); noted {
		return live
	}
	info := w.Al.Of(v)
	if info == nil || depth > 20 {
		return false
	}
	if info.Filled {
		return slices.ContainsFunc(w.Al.Based(v), func(place memory.Var) bool { return w.Held(place, s) })
	}
	if again, _ := s.Noted(reborn); again {
		return false
	}
	if v == w.Al.Root {
		return true
	}
	// It was computed before the walk began.
	if !info.Must {
		if place, loaded := w.Al.Loaded(v); !loaded || !w.sameBlockBefore(v, place) {
			return false
		}
	}
	if info.Field != flow.None && (w.Detached[info.Field] || w.takenOut(v)) {
		return false
	}
	if w.Detached[Whole] && w.isMemory(v, info) {
		return false
	}
	return w.Rounds || w.dominated(v)
}

// isMemory reports whether an alias is not the object but memory that it hands
// out, by a method: no longer its own once the whole struct is overwritten.
func (w *Follower) isMemory(v ssa.Value, info *alias.Alias) bool {
	return info.Field == flow.None && ssax.IsSlice(v.Type()) && !ssax.IsSlice(w.Al.Root.Type())
}

// sameBlockBefore reports whether a load of a place stands just before the walk
// began, in the same block, and the place is not written in between: it is what the walk is about.
func (w *Follower) sameBlockBefore(v ssa.Value, place memory.Var) bool {
	load, ok := v.(*ssa.UnOp)
	root := ssax.Load(w.Al.Root)
	if !ok || root == nil {
		return false
	}
	at, ok := w.Program.Place(root.X)
	return ok && at == place && load.Block() == root.Block() && !w.movedOn(load, place)
}

// dominated reports whether a value belongs to the object of this iteration: it
// is computed where the object is known already.
func (w *Follower) dominated(v ssa.Value) bool {
	root, ok := w.Al.Root.(ssa.Instruction)
	if !ok || root.Block() == nil {
		return true
	}
	instr, ok := v.(ssa.Instruction)
	if !ok || instr.Block() == nil || instr.Parent() != root.Parent() {
		return true
	}
	if phi, isPhi := v.(*ssa.Phi); isPhi && phi.Block() == root.Block() && v != w.Al.Root {
		return false // it was merged before this round's object was got: it is from an earlier round
	}
	if _, isAlloc := v.(*ssa.Alloc); isAlloc {
		return !w.Al.Of(v).Holder || root.Block().Dominates(instr.Block())
	}
	return root.Block().Dominates(instr.Block())
}

// Held reports whether a place holds the object at this point of the path.
func (w *Follower) Held(place memory.Var, s *paths.State) bool {
	if live, noted := s.Noted(place); noted {
		return live
	}
	if !w.Al.Holds(place) {
		if _, isBoxed := place.Base.(*ssa.Alloc); isBoxed && ssa.Value(place.Base) == w.Al.Root {
			return true
		}
		return false
	}
	if w.Al.Root == nil {
		return place == w.Place
	}
	if root := ssax.Load(w.Al.Root); root != nil {
		if at, ok := w.Program.Place(root.X); ok && at == place {
			return !w.movedOn(root, place) // what is put was just read there
		}
	}
	return w.Al.MustHold(w.Start, place)
}

// movedOn reports whether a place may have been written between a load of it and
// the start of the walk.
func (w *Follower) movedOn(load *ssa.UnOp, place memory.Var) bool {
	if load.Parent() != w.Start.Parent() {
		return false
	}
	return slices.ContainsFunc(w.Program.StoresTo(load.Parent(), place), func(s *ssa.Store) bool {
		return s.Parent() == load.Parent() && ssax.Before(load, s) && ssax.MayPrecede(s, w.Start) && !ssax.Before(w.Start, s)
	})
}

// takenOut reports whether the object let go of memory before the walk began: err = x.errs;
// x.errs = nil.
func (w *Follower) takenOut(v ssa.Value) bool {
	return w.Al.TakenOut(v, func(s *ssa.Store) bool { return ssax.MayPrecede(s, w.Start) })
}
