package track

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// Table holds the effects of a package's functions on pooled objects in fields. Declared
// functions have it in their summaries, by parameter; literals have it here, by the place
// that they share with the function around them.
type Table struct {
	Program  *flow.Program
	Paths    *paths.Walker       // asked what conditions say, and what is reached
	Fields   map[*types.Var]bool // fields whose values are put
	Elements map[*types.Var]bool // fields with lists of which a function puts an element
	Putters  map[*types.Var]int  // how many functions do so
	Literals map[*ssa.Function][]Placed
	sets     map[setting]bool
}

// NewTable returns a table in which nothing is known yet.
func NewTable(p *flow.Program) *Table {
	return &Table{
		Program:  p,
		Paths:    paths.New(p),
		Fields:   make(map[*types.Var]bool),
		Elements: make(map[*types.Var]bool),
		Putters:  make(map[*types.Var]int),
		Literals: make(map[*ssa.Function][]Placed),
		sets:     make(map[setting]bool),
	}
}

// Placed is the effect of a literal on the object of a place.
type Placed struct {
	Place memory.Var
	summary.FieldEffect
}

// Each calls f with each place that a call does something with through a
// struct that it gets, until f returns false.
func (o *Table) Each(c *flow.Call, f func(place memory.Var, e summary.FieldEffect) bool) {
	for _, e := range c.Summary.Fields {
		if place, ok := c.Place(o.Program, e.Param, e.Path); ok && !f(place, e) {
			return
		}
	}
	for _, p := range o.Literals[c.Lit] {
		if !f(p.Place, p.FieldEffect) {
			return
		}
	}
}

// setting asks whether a function may set a path from a parameter.
type setting struct {
	f     *ssa.Function
	param int
	path  string
}

// PassedOn reports whether a call gets a struct and may set a place in it.
func (o *Table) PassedOn(c *flow.Call, v memory.Var) bool {
	if c.Builtin != "" {
		return false
	}
	for i, arg := range c.Args[:c.Captures] {
		place, ok := o.Program.Inside(arg, "")
		if ok && v.Within(place) && o.maySet(c, i, v.Path[len(place.Path):]) {
			return true
		}
	}
	return false
}

// maySet reports whether a call may set a path from its argument i.
func (o *Table) maySet(c *flow.Call, i int, path string) bool {
	if c.IsPool() {
		return false
	}
	if c.Lit == nil || i >= len(c.Lit.Params) {
		e, ok := c.Summary.Field(i, path)
		return !ok || e.Sets
	}
	return c.Summary.Retains.Has(i) || o.MaySetPath(c.Lit, i, path)
}

// MaySetPath reports whether a function of the package may set a path from one of its
// parameters.
func (o *Table) MaySetPath(f *ssa.Function, param int, path string) bool {
	q := setting{f, param, path}
	if known, ok := o.sets[q]; ok {
		return known
	}
	o.sets[q] = false // if it depends on itself, the rest decides
	sets := o.mayWrite(q)
	o.sets[q] = sets
	return sets
}

func (o *Table) mayWrite(q setting) bool {
	for instr := range ssax.Instrs(o.Program.Family(q.f)...) {
		switch instr := instr.(type) {
		case *ssa.Store:
			place, ok := o.Program.Place(instr.Addr)
			if _, within := q.inside(o.Program, place); ok && within && !ssax.Is[*ssa.Alloc](instr.Addr) {
				return true
			}
		case ssa.CallInstruction:
			if o.passes(q, instr) {
				return true
			}
		}
	}
	return false
}

// inside returns the rest of the path that is asked for behind a place on it.
func (q setting) inside(p *flow.Program, place memory.Var) (rest string, ok bool) {
	i, path, ok := p.Given(q.f, place)
	if !ok || i != q.param {
		return "", false
	}
	return memory.Below(q.path, path)
}

// passes reports whether a call gets what may set the path that is asked for.
func (o *Table) passes(q setting, call ssa.CallInstruction) bool {
	c := o.Program.Resolve(call)
	if c.Builtin != "" {
		return false
	}
	for j, arg := range c.Args[:c.Captures] {
		if place, ok := o.Program.Inside(arg, ""); ok {
			if rest, within := q.inside(o.Program, place); within && o.maySet(&c, j, rest) {
				return true
			}
		}
	}
	return false
}
