package memory

import (
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// A struct may say by several bool fields what kind it is: isMD5, isSHA256. They exclude
// each other if each is set only where a struct is made, and no such place sets two.

// kinds are the bool fields of the package's structs and the places that set them.
type kinds struct {
	made map[ssa.Value][]*types.Var // the fields that are true in a struct made here
	set  map[*types.Var]bool        // whether that is all that sets the field
}

// learn notes a store to a bool field.
func (k *kinds) learn(s *ssa.Store) {
	field := ssax.BoolField(s.Addr)
	if field == nil {
		return
	}
	is, isConst := ssax.Truth(s.Val)
	if isConst && !is {
		return
	}
	base := s.Addr.(*ssa.FieldAddr).X
	_, fresh := base.(*ssa.Alloc)
	only, seen := k.set[field]
	k.set[field] = (only || !seen) && isConst && fresh && !field.Exported()
	if fresh {
		k.made[base] = append(k.made[base], field)
	}
}

// exclude reports whether of two fields of one struct at most one is true.
func (k *kinds) exclude(a, b *types.Var) bool {
	if a == b || !k.set[a] || !k.set[b] {
		return false
	}
	for _, fields := range k.made {
		if slices.Contains(fields, a) && slices.Contains(fields, b) {
			return false
		}
	}
	return true
}

// Excluded returns the places of the bool fields that are false where a condition, a
// bool field of the same struct, is true.
func (p *Places) Excluded(cond ssa.Value) (places []Var) {
	load := ssax.Load(cond)
	if load == nil {
		return nil
	}
	field := ssax.BoolField(load.X)
	if field == nil || !p.kinds.set[field] {
		return nil
	}
	at, ok := p.Place(load.X)
	cut := strings.LastIndexByte(at.Path, '.')
	if !ok || cut < 0 {
		return nil
	}
	st := ssax.Pointee(load.X.(*ssa.FieldAddr).X.Type()).Underlying().(*types.Struct)
	for i := range st.NumFields() {
		if p.kinds.exclude(field, st.Field(i).Origin()) {
			places = append(places, Var{Base: at.Base, Path: at.Path[:cut] + "." + strconv.Itoa(i)})
		}
	}
	return places
}
