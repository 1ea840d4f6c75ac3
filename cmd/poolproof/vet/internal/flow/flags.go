package flow

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// flag is a value that a function gives to a bool field of what it is given.
type flag struct {
	field *types.Var
	value bool
}

// learnFlag notes a store to a bool field of a parameter.
func (t *Table) learnFlag(s *ssa.Store) {
	field := boolField(s.Addr)
	if field == nil {
		return
	}
	if _, given := s.Addr.(*ssa.FieldAddr).X.(*ssa.Parameter); !given {
		return
	}
	for _, value := range []bool{false, true} {
		if c, ok := s.Val.(*ssa.Const); !ok || c.Value == nil || constant.BoolVal(c.Value) == value {
			f := flag{field, value}
			t.flags[f] = append(t.flags[f], s.Parent())
		}
	}
}

// boolField returns the field whose address a value is, if it is a bool.
func boolField(addr ssa.Value) *types.Var {
	v := FieldVar(addr)
	if v == nil {
		return nil
	}
	if b, ok := v.Type().Underlying().(*types.Basic); !ok || b.Info()&types.IsBoolean == 0 {
		return nil
	}
	return v
}

// FieldVar returns the field whose address a value is, as its struct was declared.
func FieldVar(addr ssa.Value) *types.Var {
	at, ok := addr.(*ssa.FieldAddr)
	if !ok {
		return nil
	}
	st, ok := Pointee(at.X.Type()).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	return st.Field(at.Field).Origin()
}

// Switched reports whether a condition asks for a bool field, and another function
// than f gives it that value, of an object that it gets: so that it is not what the
// object is but what somebody has asked for.
func (t *Table) Switched(cond ssa.Value, value bool, f *ssa.Function) bool {
	for {
		u, ok := cond.(*ssa.UnOp)
		if !ok {
			return false
		}
		if isLoad(u) {
			field := boolField(u.X)
			if field == nil {
				return false
			}
			for _, setter := range t.flags[flag{field, value}] {
				if setter != f {
					return true
				}
			}
			return false
		}
		cond, value = u.X, !value
	}
}
