package lost

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// givesOwnEnd reports whether an instruction takes a function of the object elsewhere, one
// without parameters that stands in a field of it, or calls it by a name that ends something: that
// function may put the object.
func (w *fate) givesOwnEnd(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Return:
		for _, r := range instr.Results {
			if w.ownEnd(w.code.Program.Stored(r)) != nil {
				return true
			}
		}
	case *ssa.Store:
		return w.ownEnd(instr.Val) != nil && !w.inner(instr.Addr)
	case *ssa.Send:
		return w.ownEnd(instr.X) != nil
	case ssa.CallInstruction:
		if f := w.ownEnd(instr.Common().Value); f != nil && names.IsRelease(f.Name()) {
			return true
		}
		for _, arg := range instr.Common().Args {
			if w.ownEnd(arg) != nil {
				return true
			}
		}
	}
	return false
}

// ownEnd returns the field of the object from which a function without parameters was read, nil
// if v is no such function.
func (w *fate) ownEnd(v ssa.Value) *types.Var {
	load := ssax.Load(v)
	if load == nil {
		return nil
	}
	field, ok := load.X.(*ssa.FieldAddr)
	if !ok || !w.whole(field.X) {
		return nil
	}
	if sig, ok := v.Type().Underlying().(*types.Signature); !ok || sig.Params().Len() > 0 {
		return nil
	}
	return ssax.FieldVar(field)
}
