package track

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// PutRoots returns the values that are the object of a put.
func (fn *Code) PutRoots(p *Put) []ssa.Value {
	if !p.Captured {
		if field := interior(p.Arg); field != nil {
			return []ssa.Value{field} // the struct around it is another object
		}
		if phi := flow.Carried(fn.Program, p.Arg); phi != nil {
			return []ssa.Value{phi} // what this round makes is another object
		}
		if phi := piece(p); phi != nil {
			return []ssa.Value{phi}
		}
		return []ssa.Value{fn.Program.Origin(p.Arg)}
	}
	if alloc, ok := p.Arg.(*ssa.Alloc); ok {
		var roots []ssa.Value
		for _, s := range fn.Program.Stores(alloc).Whole {
			if s.Parent() != fn.F || ssax.IsNil(s.Val) {
				continue
			}
			if memory.EarlierRound(s.Val, s, alloc, p.Instr()) {
				return []ssa.Value{p.Arg} // what this round assigns is another object
			}
			if r := fn.Program.Origin(s.Val); !slices.Contains(roots, r) {
				roots = append(roots, r)
			}
		}
		if len(roots) > 0 {
			return roots
		}
	}
	return []ssa.Value{p.Arg}
}

// piece returns the merged value of which a put in a loop gives back a piece, if each round
// cuts off its beginning: what this round puts is another piece. It is nil otherwise.
func piece(p *Put) ssa.Value {
	v := ssax.Strip(p.Arg)
	for {
		slice, ok := v.(*ssa.Slice)
		if !ok {
			break
		}
		v = ssax.Strip(slice.X)
	}
	phi, ok := v.(*ssa.Phi)
	if !ok || !ssax.Reaches(p.Call.Instr.Block(), phi.Block()) {
		return nil
	}
	for _, e := range phi.Edges {
		if rest, ok := ssax.Strip(e).(*ssa.Slice); ok && ssax.Strip(rest.X) == ssa.Value(phi) && ssax.CutsOff(rest) {
			return phi
		}
	}
	return nil
}

// interior returns the address of a field that an argument is, nil if it is none.
func interior(arg ssa.Value) ssa.Value {
	if m, ok := arg.(*ssa.MakeInterface); ok {
		arg = m.X
	}
	if field, ok := arg.(*ssa.FieldAddr); ok {
		return field
	}
	return nil
}
