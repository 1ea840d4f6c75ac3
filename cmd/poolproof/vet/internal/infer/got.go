package infer

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
)

// keep notes that a pooled object which the function got goes elsewhere.
func (l *learner) keep(v ssa.Value) {
	if len(l.gets) == 0 || !flow.HasPointers(v.Type()) {
		return
	}
	for _, o := range l.p.Origins(v) {
		if l.gets[o.Root] && !o.May {
			l.kept[o.Root] = true
		}
	}
}

// give notes where a pooled object is put that the function got.
func (l *learner) give(v ssa.Value, instr ssa.CallInstruction) {
	for root := range l.origins(v) {
		if l.gets[root] {
			l.given[root] = append(l.given[root], instr)
		}
	}
}

func (l *learner) origins(v ssa.Value) map[ssa.Value]bool {
	roots := make(map[ssa.Value]bool)
	for _, o := range l.p.Origins(v) {
		if !o.Holds && o.Field == flow.None {
			roots[o.Root] = true
		}
	}
	return roots
}

func (l *learner) keepUnlessLocal(v, at ssa.Value) {
	if len(l.gets) == 0 {
		return
	}
	for _, o := range l.p.Origins(at) {
		switch root := o.Root.(type) {
		case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice:
			return
		default:
			if l.gets[root] {
				return
			}
		}
	}
	l.keep(v)
}
