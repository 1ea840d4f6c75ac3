package assigned

import (
	"go/constant"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// A struct may say by several bool fields what kind it is: isMD5, isSHA256. They exclude
// each other if each is set only where a struct is made, and no such place sets two.

// kinds are the bool fields of the package's structs and the places that set them.
type kinds struct {
	made map[ssa.Value][]*types.Var // the fields that are true in a struct made here
	set  map[*types.Var]bool        // whether that is all that sets the field
}

// learnKind notes a store to a bool field.
func (t *Table) learnKind(s *ssa.Store) {
	field := ssax.BoolField(s.Addr)
	if field == nil {
		return
	}
	c, isConst := s.Val.(*ssa.Const)
	if isConst && c.Value != nil && !constant.BoolVal(c.Value) {
		return
	}
	base := s.Addr.(*ssa.FieldAddr).X
	_, fresh := base.(*ssa.Alloc)
	only, seen := t.kinds.set[field]
	t.kinds.set[field] = (only || !seen) && isConst && fresh && !field.Exported()
	if fresh {
		t.kinds.made[base] = append(t.kinds.made[base], field)
	}
}

// excludes reports whether of two fields of one struct at most one is true.
func (t *Table) excludes(a, b *types.Var) bool {
	if a == b || !t.kinds.set[a] || !t.kinds.set[b] {
		return false
	}
	for _, fields := range t.kinds.made {
		if slices.Contains(fields, a) && slices.Contains(fields, b) {
			return false
		}
	}
	return true
}

// Excluded returns the places of the bool fields that are false where a condition, a
// bool field of the same struct, is true.
func (t *Table) Excluded(cond ssa.Value) (places []memory.Var) {
	load := ssax.Load(cond)
	if load == nil {
		return nil
	}
	field := ssax.BoolField(load.X)
	if field == nil || !t.kinds.set[field] {
		return nil
	}
	at, ok := t.places.Place(load.X)
	cut := strings.LastIndexByte(at.Path, '.')
	if !ok || cut < 0 {
		return nil
	}
	st := ssax.Pointee(load.X.(*ssa.FieldAddr).X.Type()).Underlying().(*types.Struct)
	for i := range st.NumFields() {
		if t.excludes(field, st.Field(i).Origin()) {
			places = append(places, memory.Var{Base: at.Base, Path: at.Path[:cut] + "." + strconv.Itoa(i)})
		}
	}
	return places
}
