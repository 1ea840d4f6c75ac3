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

	// Of a call: the function of the package that is called, if it is one, and which
	// field of which parameter it overwrites.
	Callee       *ssa.Function
	Param, Inner int
}

// Covers reports whether a field is overwritten with what o is about.
func (o *Overwrite) Covers(field int) bool { return o.Field == field || o.Field == summary.All }

// Overwrites returns what a store overwrites, or a call by what its callee does. A field of a
// struct that is a field itself stands for the outer one if nothing else in the inner one
// refers to memory.
func Overwrites(p *Program, instr ssa.Instruction) (list []Overwrite) {
	add := func(addr ssa.Value, o Overwrite) {
		for {
			at, isField := addr.(*ssa.FieldAddr)
			if !isField {
				o.Base = addr
				list = append(list, o)
				return
			}
			if o.Field != summary.All {
				if fields := ssax.MemoryFields(ssax.Pointee(at.Type())); len(fields) != 1 || fields[0] != o.Field {
					return
				}
			}
			addr, o.Field = at.X, at.Field
		}
	}
	switch instr := instr.(type) {
	case *ssa.Store:
		add(instr.Addr, Overwrite{Field: summary.All, Val: instr.Val})
	case *ssa.Call, *ssa.Defer:
		c := p.Resolve(instr.(ssa.CallInstruction))
		for _, d := range c.Summary.Detach {
			if d.Param >= c.Captures {
				continue
			}
			for _, field := range d.Fields {
				add(c.Args[d.Param], Overwrite{Field: field, Callee: c.Lit, Param: d.Param, Inner: field})
			}
		}
	}
	return list
}
