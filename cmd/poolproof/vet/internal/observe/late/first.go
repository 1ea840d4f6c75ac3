package late

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// onlyFirst reports whether a block of a loop runs in one round at most: it stands under the
// question whether a variable is still nil, or false, and the loop sets the variable to nothing
// that is nil, or false, again.
func onlyFirst(b *ssa.BasicBlock) bool {
	for branch, d := range ssax.Above(b) {
		switch d {
		case branch.Block().Succs[0]:
			if x, isNil := ssax.NilTest(branch.Cond, true); isNil {
				if v, ok := x.(*ssa.Phi); ok && staysSet(v, b) {
					return true
				}
			}
		case branch.Block().Succs[1]: // of a variable that is asked for as it is, or with a !
			if v, ok := branch.Cond.(*ssa.Phi); ok && staysSet(v, b) {
				return true
			}
		}
	}
	return false
}

// staysSet reports whether each round in which a block ran gives a variable what is not nil, or
// true, and each other round leaves it as it is. A value that is not nil here is taken for one that
// never is.
func staysSet(v *ssa.Phi, b *ssa.BasicBlock) bool {
	set := false
	seen := map[ssa.Value]bool{v: true}
	var look func(value ssa.Value, from *ssa.BasicBlock) bool
	look = func(value ssa.Value, from *ssa.BasicBlock) bool {
		if seen[value] {
			return value != ssa.Value(v) || !b.Dominates(from)
		}
		seen[value] = true
		switch value := value.(type) {
		case *ssa.Const:
			set = true
			return value.Value != nil && (value.Value.Kind() != constant.Bool || constant.BoolVal(value.Value))
		case *ssa.Phi:
			for i, e := range value.Edges {
				if !look(e, value.Block().Preds[i]) {
					return false
				}
			}
			return true
		}
		set = true
		return !types.Identical(value.Type().Underlying(), types.Typ[types.Bool])
	}
	for i, e := range v.Edges {
		from := v.Block().Preds[i]
		if !v.Block().Dominates(from) {
			continue // before the loop
		}
		if !look(e, from) {
			return false
		}
	}
	return set
}
