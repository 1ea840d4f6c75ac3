package infer

import (
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// detach notes the fields of parameters that an instruction overwrites.
func (l *learner) detach(instr ssa.Instruction) {
	for _, o := range flow.Overwrites(l.p, instr) {
		switch o.Base.(type) {
		case *ssa.Alloc, *ssa.FreeVar, *ssa.FieldAddr: // a variable, or a struct in another one
			continue
		}
		for i := range l.wholes(o.Base).Members() {
			if !l.refills(o, i) {
				l.s.AddDetach(i, o.Field)
			}
		}
	}
}

// refills reports whether a field of a parameter is overwritten with memory of the parameter.
func (l *function) refills(o flow.Overwrite, prm int) bool {
	return o.Val != nil && slices.ContainsFunc(l.params(o.Val), func(p param) bool { return p.index == prm })
}

func (l *function) comesFrom(v ssa.Value, root ssa.Value) bool {
	if !ssax.HasPointers(v.Type()) {
		return false
	}
	return slices.ContainsFunc(l.p.Origins(v), func(o flow.Origin) bool { return o.Root == root })
}

// taken reports whether memory of a parameter is not the parameter's any more
// where it is returned as a result of type t: after it was read, the fields that
// referred to it were overwritten.
func taken(l *function, o flow.Origin, t types.Type, ret *ssa.Return) bool {
	prm, ok := o.Root.(*ssa.Parameter)
	if !ok || o.Holds || !ssax.IsMemory(t) || types.Identical(t, prm.Type()) {
		return false
	}
	fields := []int{o.Field}
	if o.Field == flow.None { // a method returned it
		fields = ssax.MemoryFields(ssax.Pointee(prm.Type()))
	}
	if len(fields) == 0 {
		return false
	}
	for _, field := range fields {
		lets := lettingGo(l, prm, field, ret)
		if len(lets) == 0 {
			return false
		}
		for _, read := range reads(l, prm, field) {
			for _, let := range lets {
				if let != read && mayPrecede(let, read) {
					return false
				}
			}
		}
	}
	return true
}

// lettingGo returns the instructions on every path to a return that overwrite a
// field of a parameter.
func lettingGo(l *function, prm *ssa.Parameter, field int, ret *ssa.Return) (lets []ssa.Instruction) {
	for instr := range ssax.Instrs(l.f) {
		if _, atEnd := instr.(*ssa.Defer); atEnd || !instr.Block().Dominates(ret.Block()) {
			continue
		}
		if slices.ContainsFunc(flow.Overwrites(l.p, instr), func(o flow.Overwrite) bool {
			return o.Base == ssa.Value(prm) && o.Covers(field) && !l.refills(o, slices.Index(l.f.Params, prm))
		}) {
			lets = append(lets, instr)
		}
	}
	return lets
}

// reads returns the instructions that may read memory out of a field of a
// parameter.
func reads(l *function, prm *ssa.Parameter, field int) (reads []ssa.Instruction) {
	path := "." + strconv.Itoa(field)
	for place, loads := range l.p.FamilyOf(l.f).Loads {
		_, inField := memory.Below(place.Path, path)
		if place.Base != ssa.Value(prm) || field != summary.All && !inField {
			continue
		}
		for _, load := range loads {
			if ssax.IsMemory(load.Type()) {
				reads = append(reads, load)
			}
		}
	}
	for c := range l.p.FamilyCalls(l.f) {
		for i, arg := range c.Args {
			if len(summary.With(c.Summary.Returns, i)) > 0 && l.comesFrom(arg, prm) {
				reads = append(reads, c.Instr)
			}
		}
	}
	return reads
}

// mayPrecede reports whether an instruction may run before another one: what stands in a
// literal may do so at any time.
func mayPrecede(instr, at ssa.Instruction) bool {
	return instr.Parent() != at.Parent() || ssax.MayPrecede(instr, at)
}
