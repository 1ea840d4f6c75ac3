package flow

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

// Viewed is the Field of memory that a method of an owner has handed out: it is
// reached through none of the object's fields that a caller could see.
const Viewed = 1 << 15

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
