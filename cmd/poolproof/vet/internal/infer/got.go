package infer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// pooled follows the pooled objects that a function gets.
type pooled struct {
	*function
	gets  map[ssa.Value]bool                  // pooled objects that the function gets
	kept  map[ssa.Value]bool                  // those that it stores where they stay
	ended map[ssa.Value][]ssa.CallInstruction // where it may put them
	given map[ssa.Value][]ssa.CallInstruction // where it puts them
}

func newPooled(p *flow.Program, f *ssa.Function) *pooled {
	return &pooled{
		function: &function{p: p, f: f},
		gets:     make(map[ssa.Value]bool),
		kept:     make(map[ssa.Value]bool),
		ended:    make(map[ssa.Value][]ssa.CallInstruction),
		given:    make(map[ssa.Value][]ssa.CallInstruction),
	}
}

// keep notes that a pooled object which the function got goes elsewhere.
func (l *pooled) keep(v ssa.Value) {
	for _, root := range l.got(v, true) {
		l.kept[root] = true
	}
}

// end notes that an instruction may put a pooled object which the function got.
func (l *pooled) end(v ssa.Value, instr ssa.CallInstruction) {
	for _, root := range l.got(v, false) {
		l.ended[root] = append(l.ended[root], instr)
	}
}

// got returns the pooled objects that a value is, or refers to, of those that the
// function got. If may is set, those too that it is on some paths only: where the
// pool was empty, it is a new one.
func (l *pooled) got(v ssa.Value, may bool) (roots []ssa.Value) {
	if len(l.gets) == 0 || !ssax.HasPointers(v.Type()) {
		return nil
	}
	for _, o := range l.p.Origins(v) {
		if l.gets[o.Root] && (may || !o.May) {
			roots = append(roots, o.Root)
		}
	}
	return roots
}

// endedAt reports whether an object may have been put where the function returns,
// or is put by a deferred call then. What is put only on the way to other returns,
// as where something failed, is still the caller's to have.
func (l *pooled) endedAt(root ssa.Value, ret *ssa.Return) bool {
	return slices.ContainsFunc(l.ended[root], func(instr ssa.CallInstruction) bool { return leads(instr, ret, root) })
}

// leads reports whether a path leads from an instruction to a return on which a
// value is not computed anew.
func leads(instr ssa.Instruction, ret *ssa.Return, anew ssa.Value) bool {
	var limit *ssa.BasicBlock
	if at, ok := anew.(ssa.Instruction); ok {
		limit = at.Block()
	}
	return instr.Block() == ret.Block() || ssax.Passes(instr.Block(), ret.Block(), limit)
}

// give notes where a pooled object is put that the function got.
func (l *pooled) give(v ssa.Value, instr ssa.CallInstruction) {
	for _, o := range l.p.Origins(v) {
		if l.gets[o.Root] && !o.Holds && o.Field == flow.None && !slices.Contains(l.given[o.Root], instr) {
			l.given[o.Root] = append(l.given[o.Root], instr)
		}
	}
}

func (l *pooled) keepUnlessLocal(v, at ssa.Value) {
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

// gotAt learns which result, a bool or an integer, tells whether result r is from the pool: it is one
// constant wherever r is, and may be something else where r is not.
func (l *learner) gotAt(r int) {
	pooled := func(ret *ssa.Return) bool { return len(l.got(ret.Results[r], true)) > 0 }
	first := slices.IndexFunc(l.returns, pooled)
	if first < 0 {
		return
	}
	results := l.f.Signature.Results()
	for i := range min(results.Len(), 64) {
		at, known := ssax.Number(l.p.Stored(l.returns[first].Results[i]))
		other := func(ret *ssa.Return) bool {
			n, ok := ssax.Number(l.p.Stored(ret.Results[i]))
			return !ok || n != at
		}
		if known && !slices.ContainsFunc(l.returns, func(ret *ssa.Return) bool { return pooled(ret) && other(ret) }) && slices.ContainsFunc(l.returns, other) {
			l.s.GotAt = append(l.s.GotAt, summary.Status{Got: r, Result: i, Value: at})
		}
	}
}

// gotIfNil learns which parameter has to be nil for result r to be from the pool: the
// function asks for it before it gets.
func (l *learner) gotIfNil(r int) {
	if slices.ContainsFunc(l.s.GotAt, func(at summary.Status) bool { return at.Got == r }) {
		return // another result tells the caller
	}
	var asked map[int]bool
	for _, ret := range l.returns {
		for _, root := range l.got(ret.Results[r], true) {
			at, ok := root.(ssa.Instruction)
			if !ok {
				return
			}
			nils := nilAt(l.function, at.Block())
			if asked != nil {
				for i := range nils {
					nils[i] = nils[i] && asked[i]
				}
			}
			asked = nils
		}
	}
	for i := range l.f.Params {
		if asked[i] {
			l.s.GotIfNil = append(l.s.GotIfNil, summary.GotIfNil{Param: i, Result: r})
		}
	}
}

// nilAt returns the parameters that are nil where a block is reached, because of a
// condition on the way to it.
func nilAt(l *function, b *ssa.BasicBlock) map[int]bool {
	found := make(map[int]bool)
	for cond, b := range ssax.Above(b) {
		if len(b.Preds) != 1 {
			continue
		}
		for i, prm := range l.f.Params {
			v := &reaching{l: l, param: i}
			if ssax.HasPointers(prm.Type()) && v.isNil(cond.Cond, cond.Block().Succs[0] == b) {
				found[i] = true
			}
		}
	}
	return found
}
