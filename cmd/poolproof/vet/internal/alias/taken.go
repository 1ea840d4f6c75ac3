package alias

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// TakenOut reports whether a value was read out of a field of the object that the same block
// then sets to something else, by a store of a kind: x.b, y.b = y.b, x.b. The object has let go
// of it.
func (a *Set) TakenOut(v ssa.Value, by func(*ssa.Store) bool) bool { return a.takenOut(v, by, 0) }

func (a *Set) takenOut(v ssa.Value, by func(*ssa.Store) bool, depth int) bool {
	info := a.Of(v)
	if info == nil || info.Field == flow.None || depth > 5 {
		return false
	}
	if load := ssax.Load(v); load != nil {
		field, ok := load.X.(*ssa.FieldAddr)
		if !ok || !a.IsWhole(field.X) {
			return false
		}
		for _, instr := range load.Block().Instrs {
			s, ok := instr.(*ssa.Store)
			if !ok || a.Of(s.Val) != nil && !a.swapped(s.Val, load) || !ssax.Before(load, s) || !by(s) {
				continue
			}
			if at, ok := s.Addr.(*ssa.FieldAddr); ok && at.Field == field.Field && a.IsWhole(at.X) {
				return true
			}
		}
		return false
	}
	for _, source := range a.Sources(v) {
		if a.takenOut(source, by, depth+1) {
			return true
		}
	}
	return false
}

// swapped reports whether a value was read out of a field of another struct in the block in which
// the memory of a field of the object goes there.
func (a *Set) swapped(v ssa.Value, mine *ssa.UnOp) bool {
	load := ssax.Load(v)
	if load == nil || load.Block() != mine.Block() {
		return false
	}
	field, ok := load.X.(*ssa.FieldAddr)
	return ok && a.Of(field.X) == nil
}
