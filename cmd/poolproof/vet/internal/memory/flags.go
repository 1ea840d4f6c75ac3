package memory

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// flag is a value that a function gives to a bool field of what it is given.
type flag struct {
	field *types.Var
	value bool
}

// flags are the functions that set bool fields of their parameters.
type flags map[flag][]*ssa.Function

// learn notes a store to a bool field of a parameter.
func (all flags) learn(s *ssa.Store) {
	field := ssax.BoolField(s.Addr)
	if field == nil {
		return
	}
	if _, given := s.Addr.(*ssa.FieldAddr).X.(*ssa.Parameter); !given {
		return
	}
	for _, value := range []bool{false, true} {
		if is, known := ssax.Truth(s.Val); !known || is == value {
			f := flag{field, value}
			all[f] = append(all[f], s.Parent())
		}
	}
}

// Switched reports whether a condition asks for a bool field, and another function
// than f gives it that value, of an object that it gets: so that it is not what the
// object is but what somebody has asked for.
func (p *Places) Switched(cond ssa.Value, value bool, f *ssa.Function) bool {
	for {
		u, ok := cond.(*ssa.UnOp)
		if !ok {
			return false
		}
		if ssax.IsLoad(u) {
			field := ssax.BoolField(u.X)
			if field == nil {
				return false
			}
			for _, setter := range p.flags[flag{field, value}] {
				if setter != f {
					return true
				}
			}
			return false
		}
		cond, value = u.X, !value
	}
}

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
