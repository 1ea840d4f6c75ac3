package alias

import (
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// copied follows a copy of the struct that an object points to: its slices and
// maps are the object's, its numbers are not.
func (a spreader) copied(value *ssa.UnOp, st *types.Struct, v ssa.Value, info *Alias) {
	memoryAt := memoryField(st)
	whole := func(x ssa.Value) { // the copy itself, where it is returned
		if memoryAt >= 0 && returned(x) {
			next := a.hold(x, v, info)
			next.Field, next.Reach = memoryAt, events.Field
		}
	}
	whole(value)
	for _, ref := range *value.Referrers() {
		store, ok := ref.(*ssa.Store)
		if !ok {
			continue
		}
		place, ok := a.p.Place(store.Addr)
		if !ok || !place.Local() {
			continue
		}
		to := a.p.Stores(place.Base.(*ssa.Alloc))
		only := len(to.Whole) == 1 && len(to.Part) == 0 && !to.Unknown
		for _, load := range a.fam.Loads[place] {
			if only && store.Block().Dominates(load.Block()) || a.p.Stored(load) == ssa.Value(value) {
				whole(load)
			}
		}
		for i := range st.NumFields() {
			if !ssax.IsMemory(st.Field(i).Type()) {
				continue
			}
			field := memory.Var{Base: place.Base, Path: place.Path + "." + strconv.Itoa(i)}
			others := len(a.p.StoresTo(value.Parent(), field)) > 1
			for _, load := range a.fam.Loads[field] {
				if store.Block().Dominates(load.Block()) {
					next := a.derive(load, v, info)
					next.Field, next.Reach = i, max(next.Reach, events.Field)
					next.never = next.never || others
				}
			}
		}
	}
}

// memoryField returns the first field of a struct that is memory, -1 if there is none.
func memoryField(st *types.Struct) int {
	for i := range st.NumFields() {
		if ssax.IsMemory(st.Field(i).Type()) {
			return i
		}
	}
	return -1
}

// returned reports whether a value is a result of its function.
func returned(v ssa.Value) bool {
	return slices.ContainsFunc(*v.Referrers(), func(ref ssa.Instruction) bool {
		_, ok := ref.(*ssa.Return)
		return ok
	})
}

// intoResult follows v into a field of what a call returned: resp.Body = v.
// Whoever gets the result has v too.
func (a spreader) intoResult(place memory.Var, v ssa.Value, info *Alias) {
	switch base := place.Base.(type) {
	case *ssa.Call:
	case *ssa.Extract:
		if _, ok := base.Tuple.(*ssa.Call); !ok {
			return
		}
	default:
		return
	}
	if place.Path != "" && a.values[place.Base] == nil && !info.Args {
		a.hold(place.Base, v, info).Filled = true
	}
}
