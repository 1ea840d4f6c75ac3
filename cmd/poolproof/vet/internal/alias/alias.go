package alias

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
)

// Alias describes a value that is, or refers to, the memory of an
// object.
type Alias struct {
	// Must is set if it is so on every path. Only such values accuse; the others
	// excuse.
	Must bool
	// Holder is set if the value is not the memory but refers to it: a struct or
	// a slice with the object in it, a closure that uses it.
	Holder bool
	// Each is set if the value, a list or a function, has memory of the object in each part: each element, or
	// what it calls its parameter with.
	Each bool
	// Args is set for the arguments of a variadic call: a call with them uses
	// the object, but does not keep it.
	Args bool
	// Reach says how sure it is that the memory is the object's.
	Reach events.Reach
	// Field is the field of the object that refers to the memory, summary.All for
	// the slice behind a pointer to a slice, None for the object itself.
	Field int
	// Filled is set if the value, which a call returned, refers to the object as long as a field of
	// what it points to holds it.
	Filled bool

	never   bool // may only
	sources []ssa.Value
	place   memory.Var // of a load
	loaded  bool
}

// Set are the values that are, or refer to, the memory of an object: in a
// function and the literals in it.
type Set struct {
	Root ssa.Value
	Type types.Type // of the object
	// Truncated is set if there are more: too many to follow. Nothing can be said
	// of the object then.
	Truncated bool

	p      *flow.Program
	fam    *memory.Family
	values map[ssa.Value]*Alias
	order  []ssa.Value
	places map[memory.Var]*Alias // where the object is stored; nil: a walk knows
	work   []ssa.Value
}

// Viewed is the Field of memory that a method of an owner has handed out: it is
// reached through none of the object's fields that a caller could see.
const Viewed = 1 << 15

// Of returns what is known of a value, nil if it is no alias.
func (a *Set) Of(v ssa.Value) *Alias { return a.values[v] }

// Has reports whether a value is an alias.
func (a *Set) Has(v ssa.Value) bool { return a.values[v] != nil }

// Values returns all aliases in the order in which they were found.
func (a *Set) Values() []ssa.Value { return a.order }

// Holds reports whether a place stores the object somewhere.
func (a *Set) Holds(place memory.Var) bool {
	_, ok := a.places[place]
	return ok
}

// Captured reports whether a variable, or a part of it, stores the object
// somewhere.
func (a *Set) Captured(v ssa.Value) bool {
	alloc, ok := v.(*ssa.Alloc)
	return ok && len(a.Based(alloc)) > 0
}

// Sources returns the values that make v an alias.
func (a *Set) Sources(v ssa.Value) []ssa.Value { return a.values[v].sources }

// Loaded returns the place that v is loaded from, if that is why it is an alias.
func (a *Set) Loaded(v ssa.Value) (memory.Var, bool) {
	info := a.values[v]
	return info.place, info.loaded
}

// Never reports whether v is an alias on some paths only, by itself.
func (a *Set) Never(v ssa.Value) bool { return a.values[v].never }

// IsWhole reports whether v is the object itself, not a part of it.
func (a *Set) IsWhole(v ssa.Value) bool {
	info := a.values[v]
	return info != nil && !info.Holder && info.Field == flow.None
}

// Where returns the places that hold the object and pass a test.
func (a *Set) Where(pass func(memory.Var) bool) (places []memory.Var) {
	for place := range a.places {
		if pass(place) {
			places = append(places, place)
		}
	}
	return places
}

// Based returns the places that hold the object and are parts of what a value
// points to, or of the variable that it is.
func (a *Set) Based(v ssa.Value) []memory.Var {
	var places []memory.Var
	for place := range a.places {
		if place.Base == v {
			places = append(places, place)
		}
	}
	return places
}

func (a *Set) add(v ssa.Value, info Alias, source ssa.Value) *Alias {
	old, ok := a.values[v]
	if ok {
		if source != nil {
			old.sources = append(old.sources, source)
		}
		return old
	}
	if source != nil {
		info.sources = []ssa.Value{source}
	}
	info.Must = true // until settled
	a.values[v] = &info
	a.order = append(a.order, v)
	a.work = append(a.work, v)
	return &info
}

// derive adds v, which is an alias because from is.
func (a *Set) derive(v ssa.Value, from ssa.Value, info *Alias) *Alias {
	return a.add(v, info.again(), from)
}

// again returns what is known of a value that is an alias because another one is.
func (info Alias) again() Alias {
	info.sources, info.never, info.loaded, info.Filled = nil, false, false, false
	return info
}

// hold adds v, which refers to the memory of from.
func (a *Set) hold(v ssa.Value, from ssa.Value, info *Alias) *Alias {
	next := info.again()
	next.Holder, next.Args, next.Each = true, false, false
	next.Reach = max(info.Reach, events.Container)
	return a.add(v, next, from)
}
