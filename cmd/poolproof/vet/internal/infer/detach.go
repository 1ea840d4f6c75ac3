package infer

import (
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// detach notes fields of parameters that are overwritten.
func (l *learner) detach(s *ssa.Store) {
	base, field, ok := memory.Overwritten(s.Addr)
	if !ok {
		return
	}
	for i, prm := range l.f.Params {
		if base == prm && !l.comesFrom(s.Val, prm) {
			l.s.AddDetach(i, field)
		}
	}
}

// detachedBy notes the fields of a parameter that a callee overwrites, which gets
// the parameter or the address of a field of it.
func (l *learner) detachedBy(c *flow.Call, i int, arg ssa.Value, prm int) {
	for _, d := range c.Summary.Detach {
		if d.Param != i {
			continue
		}
		for _, field := range d.Fields {
			if base, outer, ok := memory.OverwrittenIn(arg, field); ok && l.isParam(base, prm) {
				l.s.AddDetach(prm, outer)
			}
		}
	}
}

func (l *function) isParam(v ssa.Value, prm int) bool {
	return slices.ContainsFunc(l.params(v), func(p param) bool { return p.index == prm && p.Field == flow.None && !p.Holds && !p.May })
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
	for _, b := range l.f.Blocks {
		if !b.Dominates(ret.Block()) {
			continue
		}
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Store:
				base, at, ok := memory.Overwritten(instr.Addr)
				if ok && base == prm && (at == field || at == summary.All) && !l.comesFrom(instr.Val, prm) {
					lets = append(lets, instr)
				}
			case *ssa.Call:
				c := l.p.Resolve(instr)
				for i, arg := range c.Args {
					for _, d := range c.Summary.Detach {
						if d.Param != i {
							continue
						}
						for _, inner := range d.Fields {
							base, at, ok := memory.OverwrittenIn(arg, inner)
							if ok && base == prm && (at == field || at == summary.All) {
								lets = append(lets, instr)
							}
						}
					}
				}
			}
		}
	}
	return lets
}

// reads returns the instructions that may read memory out of a field of a
// parameter.
func reads(l *function, prm *ssa.Parameter, field int) (reads []ssa.Instruction) {
	path := "." + strconv.Itoa(field)
	for _, f := range l.p.Family(l.f) {
		for instr := range ssax.Instrs(f) {
			switch instr := instr.(type) {
			case *ssa.UnOp:
				if ssax.Load(instr) == nil || !ssax.IsMemory(instr.Type()) {
					continue
				}
				place, ok := l.p.Place(instr.X)
				rest, within := strings.CutPrefix(place.Path, path)
				if ok && place.Base == prm && (field == summary.All || within && (rest == "" || rest[0] < '0' || rest[0] > '9')) {
					reads = append(reads, instr)
				}
			case *ssa.Call:
				c := l.p.Resolve(instr)
				for i, arg := range c.Args {
					if len(summary.With(c.Summary.Returns, i)) > 0 && l.comesFrom(arg, prm) {
						reads = append(reads, instr)
					}
				}
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
