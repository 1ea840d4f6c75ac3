package lost

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// Some instructions end the object on some paths only, and what comes later on a path decides whether they
// have: a deferred literal asks a flag that the path sets, and a callee that puts only where it fails says
// by its error whether it did.

// undecided is noted of such an instruction that a path has passed, true until it is known to leave the object.
type undecided struct{ instr ssa.Instruction }

// judged is noted where a path has asked whether the object is fit to be kept: it may tell a deferred
// literal by a flag.
const judged = "judged"

// decider knows what ends the object, and what a path says of that.
type decider struct {
	of   *fate
	ends map[ssa.Instruction]end
}

// ended reports whether an instruction ends a path: it ends the object, and nothing that comes later decides
// whether it does.
func (w decider) ended(instr ssa.Instruction, s *paths.State) bool {
	if w.ends[instr] == goesOn || w.ofAnother(instr, s) {
		return false
	}
	if len(w.asksAtEnd(instr)) == 0 && w.failureOf(instr) == nil {
		return true
	}
	s.Note(undecided{instr}, true)
	return false
}

// ofAnother reports whether an instruction that ends a merged value ends another object on a path: that of an
// earlier round, or one that was got in its place.
func (w decider) ofAnother(instr ssa.Instruction, s *paths.State) (another bool) {
	for op := range ssax.Operands(instr) {
		v := ssax.Strip(w.of.code.Program.Stored(op))
		if w.of.al.Of(v) == nil {
			continue
		}
		phi, merged := v.(*ssa.Phi)
		if live, _ := s.Noted(ssa.Value(phi)); !merged || live {
			return false
		}
		another = true
	}
	return another
}

// asksAtEnd returns what ends the object in a deferred literal, if conditions there decide about all of it.
func (w decider) asksAtEnd(instr ssa.Instruction) (ends []ssa.Instruction) {
	d, ok := instr.(*ssa.Defer)
	if !ok {
		return nil
	}
	c := w.of.code.Program.Resolve(d)
	if c.Lit == nil || c.Lit.Parent() != w.of.code.F {
		return nil
	}
	for inner := range ssax.Instrs(c.Lit) {
		if w.of.end(inner) == goesOn {
			continue
		}
		if len(paths.Above(inner.Block())) == 0 {
			return nil
		}
		ends = append(ends, inner)
	}
	return ends
}

// endsAtEnd reports whether a deferred literal that a path has passed may end the object: nothing that is known
// there contradicts the conditions of one of its ends.
func (w decider) endsAtEnd(s *paths.State) bool {
	judged, _ := s.Noted(judged)
	for _, d := range slices.Backward(w.of.code.Defers) {
		if passed, _ := s.Noted(undecided{d}); passed {
			if judged || slices.ContainsFunc(w.asksAtEnd(d), func(end ssa.Instruction) bool { return !w.of.code.Walker.Contradicts(end.Block(), s) }) {
				return true
			}
			s.Drop(undecided{d})
		}
		s.Ran(w.of.code.Program, d)
	}
	return false
}

// failureOf returns the error by which a callee says that it has put the object. It is nil if the callee says
// nothing of the kind, or may keep the object where it succeeds.
func (w decider) failureOf(instr ssa.Instruction) ssa.Value {
	call, ok := instr.(*ssa.Call)
	if !ok {
		return nil
	}
	c := w.of.code.Program.Resolve(call)
	s := c.Summary
	for i, arg := range c.Args[:c.Captures] {
		told, tells := s.Tells(i)
		if !tells || told.Value || !w.of.whole(arg) || s.Gives(i) || (s.RefPut | s.Retains | s.Keeps | s.Lends | s.Collects).Has(i) || len(summary.With(s.Into, i)) > 0 {
			continue
		}
		if err := c.Result(told.Result); err != nil && ssax.IsError(err.Type()) {
			return err
		}
	}
	return nil
}

// tellsPut notes which callees have left the object where a condition has a value, and reports whether one has put it.
func (w decider) tellsPut(cond ssa.Value, value bool, s *paths.State) (put bool) {
	x, isNil := ssax.NilTest(cond, value)
	if x == nil {
		return false
	}
	s.Noteds(func(what any, _ bool) {
		if u, ok := what.(undecided); ok && w.failureOf(u.instr) == w.of.code.Program.Stored(x) {
			s.Note(what, !isNil)
			put = put || !isNil
		}
	})
	return put
}

// isUndecided reports whether it is not known whether a callee has put the object.
func isUndecided(s *paths.State) (is bool) {
	s.Noteds(func(what any, live bool) {
		_, ok := what.(undecided)
		is = is || ok && live
	})
	return is
}
