package alias

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// spreader adds to aliases what becomes one by the uses of those that are known.
type spreader struct{ *Set }

// maxAliases bounds how many values of one object are followed.
const maxAliases = 3000

// Of returns the aliases of the object that roots are: several values if
// the same object is known by several.
func Of(p *flow.Program, roots ...ssa.Value) *Set {
	a := newSet(p, roots[0].Parent())
	a.Root, a.Type = roots[0], ssax.ObjectType(roots[0])
	for _, r := range roots {
		a.add(r, Alias{Must: true, Field: flow.None}, nil)
		if place, ok := boxed(r); ok {
			spreader{a}.variable(place, nil)
		}
	}
	a.spread()
	return a
}

// newSet returns a set without values, of an object in a function.
func newSet(p *flow.Program, f *ssa.Function) *Set {
	a := &Set{p: p, fam: &memory.Family{}, values: make(map[ssa.Value]*Alias), places: make(map[memory.Var]*Alias)}
	if f != nil {
		a.fam = p.FamilyOf(f)
	}
	return a
}

// spread follows what is to be followed.
func (a *Set) spread() {
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

// At returns the aliases of what a place holds at some point of f: what is
// loaded there, as long as a walk knows that it still holds it. There is no root.
func At(p *flow.Program, f *ssa.Function, place memory.Var) *Set {
	a := newSet(p, f)
	for _, load := range a.fam.Loads[place] {
		a.Type = load.Type()
	}
	a.AddPlace(place)
	return a
}

// AddPlace adds what is loaded from a place: it is an alias as long as a walk
// knows that the place holds the object.
func (a *Set) AddPlace(place memory.Var) {
	a.places[place] = nil
	for _, load := range a.fam.Loads[place] {
		if a.values[load] != nil {
			continue
		}
		added := a.add(load, Alias{Field: flow.None}, nil)
		added.place, added.loaded = place, true
	}
	a.spread()
}

// AddView adds what a function has returned of the object that a place holds. It
// is an alias, if earlier is set, from the beginning of a walk; else as long as the
// place holds the object where the function is called.
func (a *Set) AddView(v ssa.Value, reach events.Reach, place memory.Var, earlier bool) {
	if a.values[v] != nil {
		return
	}
	added := a.add(v, Alias{Field: Viewed, Reach: reach}, nil)
	if !earlier {
		added.place, added.loaded = place, true
	}
	a.spread()
}

// OfView returns the aliases of memory that a function has handed out, from where it
// did so.
func OfView(p *flow.Program, v ssa.Value, reach events.Reach) *Set {
	a := newSet(p, v.Parent())
	a.Root, a.Type = v, v.Type()
	a.add(v, Alias{Field: Viewed, Reach: reach}, nil)
	a.spread()
	return a
}

// boxed returns the variable that a root is the address of, where the memory
// that the variable refers to belongs to the object: a slice.
func boxed(root ssa.Value) (memory.Var, bool) {
	alloc, ok := root.(*ssa.Alloc)
	if !ok || !ssax.IsSlice(ssax.Pointee(alloc.Type())) {
		return memory.Var{}, false
	}
	return memory.Var{Base: alloc}, true
}
