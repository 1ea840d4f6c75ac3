package states

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// Lends returns the exported types of the package as which the function lends
// objects to code that it does not know, and takes them back: callbacks only
// borrow them.
func Lends(code *track.Code, pkg *types.Package) []*types.TypeName {
	if len(code.Gets) == 0 || len(code.Puts) == 0 {
		return nil
	}
	var lent []*types.TypeName
	for i := range code.Puts {
		p := &code.Puts[i]
		if !p.Certain {
			continue
		}
		p.Roots = code.PutRoots(p)
		for _, g := range code.Gets {
			if len(p.Roots) != 1 || p.Roots[0] != g.Value {
				continue
			}
			al := code.Aliases(p)
			if al == nil || !lends(code, al) {
				continue
			}
			for _, v := range al.Values() {
				if tn := exported(v.Type(), pkg); tn != nil && !al.Of(v).Holder && al.Of(v).Field == flow.None {
					lent = append(lent, tn)
				}
			}
		}
	}
	return lent
}

// lends reports whether an object is passed, whole, to code that is not known.
func lends(code *track.Code, al *alias.Set) bool {
	return flow.AnyArg(code.Program.Calls(code.F), func(c *flow.Call, i int, arg ssa.Value) bool {
		return i < c.Captures && al.IsWhole(arg) && c.Builtin == "" && (c.Summary.Lends.Has(i) || c.Fn == nil && c.Lit == nil || c.Invoke && i > 0)
	})
}

// exported returns the name of an exported struct or interface type of a package.
func exported(t types.Type, pkg *types.Package) *types.TypeName {
	if elem := ssax.Pointee(t); elem != nil {
		t = elem
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() != pkg || !named.Obj().Exported() {
		return nil
	}
	return named.Obj()
}
