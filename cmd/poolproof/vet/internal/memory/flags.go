package memory

import (
	"go/types"

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
