package flow

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

// spreader adds to aliases what becomes one by the uses of those that are known.
type spreader struct{ *Aliases }

// maxAliases bounds how many values of one object are followed.
const maxAliases = 3000

// AliasesOf returns the aliases of the object that roots are: several values if
// the same object is known by several.
func (p *Program) AliasesOf(roots ...ssa.Value) *Aliases {
	a := &Aliases{Root: roots[0], Type: ObjectType(roots[0]), p: p, values: make(map[ssa.Value]*Alias), places: make(map[Var]*Alias)}
	if f := roots[0].Parent(); f != nil {
		a.fam = p.familyOf(f)
	} else {
		a.fam = &family{}
	}
	for _, r := range roots {
		a.add(r, Alias{Must: true, Field: None}, nil)
		if place, ok := boxed(r); ok {
			spreader{a}.variable(place, nil)
		}
	}
	a.spread()
	return a
}

// spread follows what is to be followed.
func (a *Aliases) spread() {
	grow := spreader{a}
	for len(a.work) > 0 {
		if len(a.order) >= maxAliases {
			a.Truncated = true
			return
		}
		v := a.work[0]
		a.work = a.work[1:]
		grow.follow(v, a.values[v])
	}
	a.settle()
}

// AliasesAt returns the aliases of what a place holds at some point of f: what is
// loaded there, as long as a walk knows that it still holds it. There is no root.
func (p *Program) AliasesAt(f *ssa.Function, place Var) *Aliases {
	a := &Aliases{p: p, fam: p.familyOf(f), values: make(map[ssa.Value]*Alias), places: make(map[Var]*Alias)}
	for _, load := range a.fam.loads[place] {
		a.Type = load.Type()
	}
	a.AddPlace(place)
	return a
}

// AddPlace adds what is loaded from a place: it is an alias as long as a walk
// knows that the place holds the object.
func (a *Aliases) AddPlace(place Var) {
	a.places[place] = nil
	for _, load := range a.fam.loads[place] {
		if a.values[load] != nil {
			continue
		}
		added := a.add(load, Alias{Field: None}, nil)
		added.place, added.loaded = place, true
	}
	a.spread()
}

// AddView adds what a function has returned of the object that a place holds. It
// is an alias, if earlier is set, from the beginning of a walk; else as long as the
// place holds the object where the function is called.
func (a *Aliases) AddView(v ssa.Value, place Var, earlier bool) {
	if a.values[v] != nil {
		return
	}
	added := a.add(v, Alias{Field: Viewed, Reach: events.Field}, nil)
	if !earlier {
		added.place, added.loaded = place, true
	}
	a.spread()
}

// ViewsOf returns the aliases of memory that a function has handed out, from where it
// did so.
func (p *Program) ViewsOf(v ssa.Value) *Aliases {
	a := &Aliases{Root: v, Type: v.Type(), p: p, fam: p.familyOf(v.Parent()), values: make(map[ssa.Value]*Alias), places: make(map[Var]*Alias)}
	a.add(v, Alias{Field: Viewed, Reach: events.Field}, nil)
	a.spread()
	return a
}

// boxed returns the variable that a root is the address of, where the memory
// that the variable refers to belongs to the object: a slice.
func boxed(root ssa.Value) (Var, bool) {
	alloc, ok := root.(*ssa.Alloc)
	if !ok || !IsSlice(Pointee(alloc.Type())) {
		return Var{}, false
	}
	return Var{Base: alloc}, true
}
