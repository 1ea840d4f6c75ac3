package flow

import "golang.org/x/tools/go/ssa"

// family is a function with all literals in it: they share variables.
type family struct {
	funcs []*ssa.Function
	loads map[Var][]*ssa.UnOp
	bases map[ssa.Value][]*ssa.Store // stores by the base of their place
}

// familyOf returns the family of f.
func (p *Places) familyOf(f *ssa.Function) *family {
	for f.Parent() != nil {
		f = f.Parent()
	}
	if fam, ok := p.families[f]; ok {
		return fam
	}
	fam := &family{
		loads: make(map[Var][]*ssa.UnOp),
		bases: make(map[ssa.Value][]*ssa.Store),
	}
	p.families[f] = fam
	var add func(f *ssa.Function)
	add = func(f *ssa.Function) {
		fam.funcs = append(fam.funcs, f)
		for _, b := range f.Blocks {
			for _, instr := range b.Instrs {
				switch instr := instr.(type) {
				case *ssa.UnOp:
					if !isLoad(instr) {
						continue
					}
					if v, ok := p.Place(instr.X); ok {
						fam.loads[v] = append(fam.loads[v], instr)
					}
				case *ssa.Store:
					if v, ok := p.Place(instr.Addr); ok {
						fam.bases[v.Base] = append(fam.bases[v.Base], instr)
					}
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

// StoresTo returns the stores to a place and to what it is a part of, in a
// function and the literals around and in it.
func (p *Places) StoresTo(f *ssa.Function, place Var) []*ssa.Store {
	var found []*ssa.Store
	for _, s := range p.familyOf(f).bases[place.Base] {
		if v, ok := p.Place(s.Addr); ok && place.Within(v) {
			found = append(found, s)
		}
	}
	return found
}

// Loads returns the loads of a place in a function and the literals around and in
// it.
func (p *Places) Loads(f *ssa.Function, place Var) []*ssa.UnOp { return p.familyOf(f).loads[place] }

// Family returns a function with all literals around and in it.
func (p *Places) Family(f *ssa.Function) []*ssa.Function { return p.familyOf(f).funcs }
