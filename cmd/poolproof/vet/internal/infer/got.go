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
	for root := range l.origins(v) {
		if l.gets[root] {
			l.given[root] = append(l.given[root], instr)
		}
	}
}

func (l *pooled) origins(v ssa.Value) map[ssa.Value]bool {
	roots := make(map[ssa.Value]bool)
	for _, o := range l.p.Origins(v) {
		if !o.Holds && o.Field == flow.None {
			roots[o.Root] = true
		}
	}
	return roots
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

// gotIf learns which result tells whether result r is from the pool: one that is the
// same constant wherever it is, and the other one where it is something else.
func (l *learner) gotIf(r int) {
	results := l.f.Signature.Results()
	for i := range min(results.Len(), 64) {
		if !ssax.IsBool(results.At(i).Type()) {
			continue
		}
		var pooled, other sides
		for _, ret := range l.returns {
			if ssax.IsNil(ret.Results[r]) {
				continue
			}
			seen := &other
			if len(l.got(ret.Results[r], true)) > 0 {
				seen = &pooled
			}
			seen.see(l.p.Stored(ret.Results[i]))
		}
		if pooled.one() && other.one() && pooled != other {
			l.s.GotIf = append(l.s.GotIf, summary.Told{Param: r, Result: i, Value: pooled.yes})
		}
	}
}

// gotAt learns which result, an integer, is a constant wherever result r is not nil.
func (l *learner) gotAt(r int) {
	results := l.f.Signature.Results()
	for i := range min(results.Len(), 64) {
		if !ssax.IsInteger(results.At(i).Type()) {
			continue
		}
		var at *ssa.Const
		empty, same := false, true
		for _, ret := range l.returns {
			if ssax.IsNil(l.p.Stored(ret.Results[r])) {
				empty = true
				continue
			}
			c, ok := l.p.Stored(ret.Results[i]).(*ssa.Const)
			if !ok || c.Value == nil || at != nil && at.Int64() != c.Int64() {
				same = false
				break
			}
			at = c
		}
		if same && empty && at != nil {
			l.s.GotAt = append(l.s.GotAt, summary.Status{Got: r, Result: i, Value: at.Int64()})
		}
	}
}

// gotIfNil learns which parameter has to be nil for result r to be from the pool: the
// function asks for it before it gets.
func (l *learner) gotIfNil(r int) {
	if slices.ContainsFunc(l.s.GotIf, func(t summary.Told) bool { return t.Param == r }) {
		return // another result tells the caller
	}
	var asked map[int]bool
	for _, ret := range l.returns {
		for _, root := range l.got(ret.Results[r], true) {
			at, ok := root.(ssa.Instruction)
			if !ok {
				return
			}
			nils := nilAt(l, at.Block())
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
			l.s.GotIfNil = append(l.s.GotIfNil, summary.Told{Param: i, Result: r})
		}
	}
}

// nilAt returns the parameters that are nil where a block is reached, because of a
// condition on the way to it.
func nilAt(l *learner, b *ssa.BasicBlock) map[int]bool {
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
