package track

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// Table holds the effects of a package's functions on pooled objects in fields. Declared
// functions have it in their summaries, by parameter; literals have it here, by the place
// that they share with the function around them.
type Table struct {
	Program  *flow.Program
	Fields   map[*types.Var]bool // fields whose values are put
	Putters  map[*types.Var]int  // how many functions do so
	Literals map[*ssa.Function][]Placed
	sets     map[setting]bool
}

// NewTable returns a table in which nothing is known yet.
func NewTable(p *flow.Program) *Table {
	return &Table{
		Program:  p,
		Fields:   make(map[*types.Var]bool),
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
	if c.Builtin != "" {
		return
	}
	for _, e := range c.Summary.Fields {
		if place, ok := c.Place(o.Program, e.Param, e.Path); ok && !f(place, e) {
			return
		}
	}
	if c.Lit == nil {
		return
	}
	for _, p := range o.Literals[c.Lit] {
		if !f(p.Place, p.FieldEffect) {
			return
		}
	}
}
