package memory

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// Family is a function with all literals in it: they share variables.
type Family struct {
	Funcs []*ssa.Function
	Loads map[Var][]*ssa.UnOp
	Bases map[ssa.Value][]*ssa.Store // stores by the base of their place
}

// FamilyOf returns the family of f.
func (p *Places) FamilyOf(f *ssa.Function) *Family {
	for f.Parent() != nil {
		f = f.Parent()
	}
	if fam, ok := p.families[f]; ok {
		return fam
	}
	fam := &Family{
		Loads: make(map[Var][]*ssa.UnOp),
		Bases: make(map[ssa.Value][]*ssa.Store),
	}
	p.families[f] = fam
	var add func(f *ssa.Function)
	add = func(f *ssa.Function) {
		fam.Funcs = append(fam.Funcs, f)
		for instr := range ssax.Instrs(f) {
			switch instr := instr.(type) {
			case *ssa.UnOp:
				if !ssax.IsLoad(instr) {
					continue
				}
				if v, ok := p.Place(instr.X); ok {
					fam.Loads[v] = append(fam.Loads[v], instr)
				}
			case *ssa.Store:
				if v, ok := p.Place(instr.Addr); ok {
					fam.Bases[v.Base] = append(fam.Bases[v.Base], instr)
				}
			}
		}
		for _, anon := range f.AnonFuncs {
			add(anon)
		}
	}
	add(f)
	return fam
}

// Emptied reports whether a literal, other than that of an instruction, sets a place in a variable to nil:
// when is not known.
func (f *Family) Emptied(p *Places, at ssa.Instruction, place Var) bool {
	variable, ok := place.Base.(*ssa.Alloc)
	return ok && slices.ContainsFunc(f.Bases[variable], func(s *ssa.Store) bool {
		v, ok := p.Place(s.Addr)
		return ok && place.Within(v) && ssax.IsNil(s.Val) && s.Parent() != at.Parent() && s.Parent() != variable.Parent()
	})
}

// StoresTo returns the stores to a place and to what it is a part of, in a
// function and the literals around and in it.
func (p *Places) StoresTo(f *ssa.Function, place Var) []*ssa.Store {
	var found []*ssa.Store
	for _, s := range p.FamilyOf(f).Bases[place.Base] {
		if v, ok := p.Place(s.Addr); ok && place.Within(v) {
			found = append(found, s)
		}
	}
	return found
}

// Family returns a function with all literals around and in it.
func (p *Places) Family(f *ssa.Function) []*ssa.Function { return p.FamilyOf(f).Funcs }
