package infer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// reaching is a visitor that counts returns that are reached without a put.
type reaching struct {
	paths.Everywhere
	l     *function
	param int
	puts  map[ssa.Instruction]bool
	unfit bool // leaving out the object because of what it is counts as a put
	reach map[*ssa.BasicBlock]bool

	returns, without int
	kept             []*ssa.Return // reached without a put
}

func (v *reaching) Visit(instr ssa.Instruction, s *paths.State) bool {
	if v.puts[instr] {
		v.returns++
		return false
	}
	if _, ok := instr.(*ssa.Return); ok && instr.Block() != v.l.f.Recover {
		v.returns++
		v.without++
		v.kept = append(v.kept, instr.(*ssa.Return))
	}
	return true
}

// onlyFailures reports whether each return with a put is one of an error, and each
// return without is one of none.
func (v *reaching) onlyFailures() bool {
	results := v.l.f.Signature.Results()
	at := results.Len() - 1
	if at < 0 || !ssax.IsError(results.At(at).Type()) || v.returns == v.without {
		return false
	}
	for ret := range ssax.Returns(v.l.f) {
		if fails, known := v.l.p.Fails(ret); !known || slices.Contains(v.kept, ret) == fails {
			return false
		}
	}
	return true
}

func (v *reaching) Branch(cond *ssa.If, taken bool, s *paths.State) bool {
	if v.isNil(cond.Cond, taken) {
		return false
	}
	if !v.unfit {
		return true
	}
	succ, other := ssax.Edge(cond, taken)
	return v.reach[succ] || !v.reach[other] || !v.unfitBy(cond.Cond, other) && !v.noClass(cond) && !v.noRoom(cond.Cond) || v.l.p.Switched(cond.Cond, taken, v.l.f)
}

// noClass reports whether a condition ends a loop over size classes, each round of which puts the
// parameter if it has the size of one: after the loop, it has the size of none.
func (v *reaching) noClass(end *ssa.If) bool {
	for put := range v.puts {
		for cond, b := range ssax.Above(put.Block()) {
			if b == end.Block() || !end.Block().Dominates(b) {
				break
			}
			if cond != end && v.ofObject(cond.Cond) && ssax.Reaches(cond.Block(), end.Block()) {
				return true
			}
		}
	}
	return false
}

// noRoom reports whether a select that does not wait says whether there is room for the parameter:
// a function that is named as one which gives back leaves out the rest, and tells nobody.
func (v *reaching) noRoom(cond ssa.Value) bool {
	sel, ok := ssax.Choosing(cond).(*ssa.Select)
	if !ok || sel == nil || sel.Blocking || !names.IsRelease(v.l.f.Name()) || v.l.f.Signature.Results().Len() > 0 {
		return false
	}
	return !slices.ContainsFunc(sel.States, func(s *ssa.SelectState) bool { return s.Send != nil && v.isParam(s.Send) })
}

// isNil reports whether the parameter is nil where the condition has a value.
func (v *reaching) isNil(cond ssa.Value, value bool) bool {
	x, isNil := ssax.NilTest(cond, value)
	return isNil && v.isParam(x)
}

func (v *reaching) isParam(x ssa.Value) bool {
	return slices.ContainsFunc(v.l.params(x), func(p param) bool { return p.index == v.param && !p.Holds })
}

// ofObject reports whether a condition is about the parameter alone.
func (v *reaching) ofObject(cond ssa.Value) bool { return v.conditions().OfFitness(cond) }

func (v *reaching) conditions() flow.Conditions {
	return flow.Conditions{Program: v.l.p, Object: v.isParam}
}

// unfitBy reports whether such a condition decides whether the parameter is fit to be kept.
func (v *reaching) unfitBy(cond ssa.Value, other *ssa.BasicBlock) bool {
	return v.ofObject(cond) && !v.conditions().ForWork(cond, other,
		func(b *ssa.BasicBlock) bool { return v.reach[b] }, func(i ssa.Instruction) bool { return v.puts[i] })
}
