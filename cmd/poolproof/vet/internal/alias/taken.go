package alias

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// maxTaken bounds how many conversions stand between a read of a field and its use.
const maxTaken = 5

// TakenOut reports whether a value was read out of a field of the object that the same block
// then sets to something else, by a store of a kind: x.b, y.b = y.b, x.b. The object has let go
// of it.
func (a *Set) TakenOut(v ssa.Value, by func(*ssa.Store) bool) bool {
	at := []ssa.Value{v}
	for range maxTaken + 1 {
		var sources []ssa.Value
		for _, v := range at {
			info := a.Of(v)
			if info == nil || info.Field == flow.None {
				continue
			}
			load := ssax.Load(v)
			if load != nil && setsAnew(load, a, by) {
				return true
			}
			if load == nil {
				sources = append(sources, a.Sources(v)...)
			}
		}
		at = sources
	}
	return false
}

// setsAnew reports whether the block in which a field of the object is read sets it afterwards
// to what is not of the object, or was in a field of another struct, which gets what was read.
func setsAnew(load *ssa.UnOp, a *Set, by func(*ssa.Store) bool) bool {
	field, ok := load.X.(*ssa.FieldAddr)
	if !ok || !a.IsWhole(field.X) {
		return false
	}
	swapped := func(v ssa.Value) bool {
		other := ssax.Load(v)
		if other == nil || other.Block() != load.Block() {
			return false
		}
		from, ok := other.X.(*ssa.FieldAddr)
		return ok && a.Of(from.X) == nil
	}
	return slices.ContainsFunc(load.Block().Instrs, func(instr ssa.Instruction) bool {
		s, ok := instr.(*ssa.Store)
		if !ok || a.Of(s.Val) != nil && !swapped(s.Val) || !ssax.Before(load, s) || !by(s) {
			return false
		}
		to, ok := s.Addr.(*ssa.FieldAddr)
		return ok && to.Field == field.Field && a.IsWhole(to.X)
	})
}
