package alias

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// store follows v into a variable.
func (a spreader) store(ref *ssa.Store, v ssa.Value, info *Alias) {
	if at := a.values[ref.Addr]; at != nil && !at.Holder && !ssax.Is[*ssa.Alloc](ref.Addr) {
		return // the object in itself
	}
	place, ok := a.p.Place(ref.Addr)
	if ok {
		a.intoResult(place, v, info)
		if base := a.values[place.Base]; base != nil && !base.Holder && !place.Local() {
			return // the object in a field of itself
		}
		a.places[place] = info
		a.variable(place, info)
		a.copyParts(ref, place)
		if alloc, isAlloc := place.Base.(*ssa.Alloc); isAlloc && place.Path == "" {
			a.casts(alloc, v, info)
		}
		if alloc, isAlloc := place.Base.(*ssa.Alloc); isAlloc && place.Local() && (place.Path != "" || !pointsTo(alloc, v)) {
			a.container(alloc, v, info)
		}
		return
	}
	// An element whose index is not a constant.
	if index, isIndex := ref.Addr.(*ssa.IndexAddr); isIndex {
		if local(index.X) {
			a.hold(index.X, v, info)
		}
	}
}

// copyParts follows a struct that holds the object in a field into the variable
// that it is copied to.
func (a spreader) copyParts(ref *ssa.Store, to memory.Var) {
	from, ok := a.p.Copied(ref)
	if !ok || from == to {
		return
	}
	for _, part := range a.Where(from.Holds) {
		info := a.places[part]
		at := part.Copied(from, to)
		if a.Holds(at) || info == nil || info.Holder {
			continue
		}
		a.places[at] = info
		a.variable(at, info)
	}
}

// pointsTo reports whether a variable is of v's type: its address then is no
// container but the variable.
func pointsTo(alloc *ssa.Alloc, v ssa.Value) bool {
	if _, isStruct := v.Type().Underlying().(*types.Struct); isStruct {
		return false // the address of a struct refers to what is in it
	}
	return types.Identical(ssax.Pointee(alloc.Type()), v.Type()) || types.IsInterface(ssax.Pointee(alloc.Type()))
}

// container makes a local struct or array one that holds the object.
func (a spreader) container(alloc *ssa.Alloc, v ssa.Value, info *Alias) {
	if a.IsWhole(alloc) {
		return
	}
	if ssax.AnyArray(alloc) {
		next := a.hold(alloc, v, info)
		next.Args, next.Reach = true, info.Reach
		return
	}
	next := a.hold(alloc, v, info)
	if _, isStruct := ssax.Pointee(alloc.Type()).Underlying().(*types.Struct); isStruct && !info.Holder {
		next.Reach = info.Reach // made here, of the object itself: as sure as that
	}
}

// variable adds all loads of a place. info is of what is stored there; nil for
// what a root's own variable holds.
func (a spreader) variable(place memory.Var, info *Alias) {
	for _, load := range a.fam.Loads[place] {
		next := Alias{Field: summary.All, Reach: events.Memory}
		if info != nil {
			next = info.again()
		}
		added := a.add(load, next, nil)
		added.place, added.loaded = place, true
	}
	if alloc, ok := place.Base.(*ssa.Alloc); ok && place.Path == "" && info != nil && !info.Holder {
		a.literals(alloc, info)
	}
}

// literals adds the literals that capture a variable and read it.
func (a spreader) literals(alloc *ssa.Alloc, info *Alias) {
	for _, made := range a.p.Stores(alloc).Closure {
		for _, load := range a.fam.Loads[memory.Var{Base: alloc}] {
			if load.Parent() == made.Fn {
				next := info.again()
				next.Holder = true
				next.Reach = max(info.Reach, events.Container)
				a.add(made, next, load)
				break
			}
		}
	}
}

// closure follows a captured variable, or the receiver of a method value.
func (a spreader) closure(ref *ssa.MakeClosure, v ssa.Value, info *Alias) {
	fn := ref.Fn.(*ssa.Function)
	for i, b := range ref.Bindings {
		if b != v || i >= len(fn.FreeVars) {
			continue
		}
		if _, captured := v.(*ssa.Alloc); captured && info.Holder {
			a.hold(ref, v, info)
			continue
		}
		if fn.Synthetic != "" || len(fn.Blocks) > 0 {
			a.hold(ref, v, info)
		}
	}
}

// casts follows what is stored in a variable into reads under another type.
func (a spreader) casts(alloc *ssa.Alloc, v ssa.Value, info *Alias) {
	if info.Holder || !ssax.Textual(ssax.Pointee(alloc.Type())) {
		return
	}
	for _, ref := range *alloc.Referrers() {
		c, ok := ref.(*ssa.Convert)
		if !ok {
			continue
		}
		loads, _ := ssax.CastReads(c)
		for _, load := range loads {
			if ssax.Textual(load.Type()) {
				next := a.derive(load, v, info)
				next.never = next.never || len(a.p.Stores(alloc).Whole) > 1
			}
		}
	}
}
