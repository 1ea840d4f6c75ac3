package alias

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// settle decides which aliases are so on every path: all are taken to be, and
// those that cannot be are removed until nothing changes.
func (a *Set) settle() {
	for changed := true; changed; {
		changed = false
		for _, v := range a.order {
			info := a.values[v]
			if info.Must && !a.must(v, info) {
				info.Must = false
				changed = true
			}
		}
	}
}

func (a *Set) must(v ssa.Value, info *Alias) bool {
	if info.never {
		return false
	}
	if phi, ok := v.(*ssa.Phi); ok && len(info.sources) > 0 {
		for _, e := range phi.Edges {
			if c, isConst := e.(*ssa.Const); isConst && c.IsNil() {
				continue
			}
			edge := a.values[e]
			if edge == nil || !edge.Must || edge.Holder != info.Holder {
				return false
			}
		}
		return true
	}
	if info.loaded {
		load, isLoad := v.(*ssa.UnOp)
		return isLoad && a.mustHold(load, info.place, true) // a view is one while the walk says so
	}
	if len(info.sources) == 0 {
		return true // a root
	}
	return slices.ContainsFunc(info.sources, func(s ssa.Value) bool { return a.values[s].Must })
}

// local reports whether a place in a local variable certainly holds the object before an
// instruction is reached, if the last store before it decides that, or an unknown store may.
func (a *Set) local(at ssa.Instruction, place memory.Var) (holds, decided bool) {
	alloc, ok := place.Base.(*ssa.Alloc)
	if !ok || !place.Local() {
		return false, false
	}
	if s := memory.LastStore(a.p.Places, at, place); s != nil {
		info := a.values[s.Val]
		return info != nil && info.Must, true
	}
	return false, a.p.Stores(alloc).Unknown && a.values[alloc] == nil
}

// MustHold reports whether a place certainly holds the object before an
// instruction is reached.
func (a *Set) MustHold(at ssa.Instruction, place memory.Var) bool {
	return a.mustHold(at, place, false)
}

// mustHold is MustHold; or, of a read, whether what is read there is the object or nil.
func (a *Set) mustHold(at ssa.Instruction, place memory.Var, read bool) bool {
	if holds, decided := a.local(at, place); decided {
		return holds
	}
	root := read && a.values[place.Base] != nil // of the object's own memory
	if variable, ok := place.Base.(*ssa.Alloc); ok && place.Path == "" {
		if seen := a.p.Everywhere(at, variable); !seen.Else {
			return root || (read || !seen.Entry) && all(seen.Stores, a.values)
		}
	}
	if a.fam.Emptied(a.p.Places, at, place) {
		return false
	}
	found := false
	for _, s := range a.fam.Bases[place.Base] {
		to, ok := a.p.Place(s.Addr)
		switch {
		case !ok || !place.Within(to) || read && ssax.IsNil(s.Val):
			continue
		case to == place:
			if info := a.values[s.Val]; info == nil || !info.Must {
				return false
			}
		default:
			from, copied := a.p.Copied(s)
			if !copied || !a.MustHold(s, place.Copied(to, from)) {
				return false
			}
		}
		found = found || read || s.Parent() != at.Parent() || s.Block().Dominates(at.Block())
	}
	return found || root
}

// all reports whether each store of some that is not one of nil certainly is one of the object, and one is.
func all(stores []*ssa.Store, aliases map[ssa.Value]*Alias) (found bool) {
	for _, s := range stores {
		if ssax.IsNil(s.Val) {
			continue
		}
		info := aliases[s.Val]
		if info == nil || !info.Must {
			return false
		}
		found = true
	}
	return found
}

// Emptied reports whether v is a copy of a local struct that has let go of the object: each
// field that it was stored in was overwritten before. What else was made of the object, and
// is in another field, is taken for a copy then.
func (a *Set) Emptied(v ssa.Value) bool {
	load := ssax.Load(ssax.Strip(v))
	if load == nil {
		return false
	}
	place, ok := a.p.Place(load.X)
	if !ok || !place.Local() {
		return false
	}
	overwritten := false
	for _, part := range a.Where(place.Holds) {
		if info := a.places[part]; part == place || info != nil && info.Holder {
			continue
		}
		last := memory.LastStore(a.p.Places, load, part)
		if last == nil || a.values[last.Val] != nil {
			return false
		}
		overwritten = true
	}
	return overwritten
}

// Assigned reports whether a literal assigns the object to a place, and nothing else.
func (a *Set) Assigned(literal *ssa.Function, place memory.Var) bool {
	assigned := false
	for _, s := range a.p.StoresTo(literal, place) {
		if s.Parent() != literal {
			continue
		}
		info := a.values[s.Val]
		if info == nil || !info.Must {
			return false
		}
		assigned = true
	}
	return assigned
}
