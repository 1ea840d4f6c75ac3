package flow

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// Overwrite is a field that an instruction sets to something else.
type Overwrite struct {
	Base  ssa.Value // points to the struct
	Field int       // summary.All is all of what Base points to
	Val   ssa.Value // what a store puts there, nil of a call
	// Nested is set if it is not the field itself that is overwritten but a field of the struct in
	// it, in which nothing else refers to memory.
	Nested bool

	// Of a call: the function of the package that is called, if it is one, and which
	// field of which parameter it overwrites.
	Callee       *ssa.Function
	Param, Inner int
}

// Covers reports whether a field is overwritten with what o is about.
func (o *Overwrite) Covers(field int) bool { return o.Field == field || o.Field == summary.All }

// Overwrites returns what a store overwrites, or a call by what its callee does.
func Overwrites(p *Program, instr ssa.Instruction) (list []Overwrite) {
	add := func(o Overwrite) {
		for {
			list = append(list, o)
			at, isField := o.Base.(*ssa.FieldAddr)
			if !isField {
				return
			}
			if o.Field != summary.All {
				if fields := ssax.MemoryFields(ssax.Pointee(at.Type())); len(fields) != 1 || fields[0] != o.Field {
					return
				}
			}
			o.Base, o.Field, o.Nested = at.X, at.Field, true
		}
	}
	switch instr := instr.(type) {
	case *ssa.Store:
		if at, isField := instr.Addr.(*ssa.FieldAddr); isField {
			add(Overwrite{Base: at.X, Field: at.Field, Val: instr.Val})
		} else {
			add(Overwrite{Base: instr.Addr, Field: summary.All, Val: instr.Val})
		}
	case *ssa.Call, *ssa.Defer:
		c := p.Resolve(instr.(ssa.CallInstruction))
		for _, d := range c.Summary.Detach {
			if d.Param >= c.Captures {
				continue
			}
			for _, field := range d.Fields {
				add(Overwrite{Base: c.Args[d.Param], Field: field, Callee: c.Lit, Param: d.Param, Inner: field})
			}
		}
	}
	return list
}
