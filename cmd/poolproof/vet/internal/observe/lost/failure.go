package lost

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// lostWhereItFails finds the returns of an error on which a function loses an
// object that it hands over if all goes well: a constructor or a getter of its own,
// whose caller gets nothing that it could put. The other paths need no put for
// that, so nothing here tells that the object is from a pool but the get.
func lostWhereItFails(fn *scene.Function, w *keeper) (found []scene.Found) {
	given := make(map[ssa.Instruction]bool)
	for instr, e := range w.ends {
		if e == handedOver && w.gives(instr) {
			given[instr] = true
		}
	}
	if len(given) == 0 || fn.Events.Directives.Drop(ssax.Position(w.g.Call.Instr)) {
		return found
	}
	w.reach = ssax.Reaching(given, nil)
	v := &failing{of: w, anyReturn: true}
	for instr := range given {
		call, isCall := instr.(*ssa.Call)
		_, made := instr.(*ssa.MakeClosure)
		v.anyReturn = v.anyReturn && !made && (!isCall || fn.Program.Resolve(call).Builtin != "")
	}
	if !fn.Walker.From(w.g.Call.Instr, v) {
		return found
	}
	again := ssax.Reaches(w.g.Call.Instr.Block(), w.g.Call.Instr.Block())
	for _, e := range w.oncePerLoop() {
		if again && w.behind[e.Pos] {
			continue // what fails there is another round, or what comes behind the loop
		}
		found = append(found, w.ending(e))
	}
	return found
}

// gives reports whether an instruction makes the object somebody else's for
// certain. A function value, or a method of an interface, may have borrowed it.
func (w *fate) gives(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Return, *ssa.Store, *ssa.MapUpdate, *ssa.Send:
		return true
	case *ssa.MakeClosure:
		lit := instr.Fn.(*ssa.Function)
		s := w.code.Program.Own(lit)
		for i, b := range instr.Bindings {
			prm := len(lit.Params) + i
			if s != nil && (w.al.Of(b) != nil || w.al.Captured(b)) && (s.Gives(prm) || (s.MayPut | s.RefPut | s.Retains | s.Keeps).Has(prm)) {
				return true
			}
		}
	case *ssa.Call:
		c := w.code.Program.Resolve(instr)
		if c.Builtin == "append" {
			return true
		}
		for i, arg := range c.Args {
			if i < c.Captures && w.whole(arg) && !c.Invoke && !c.Summary.Borrows.Has(i) &&
				((c.Summary.Keeps | c.Summary.RefPut | c.Summary.Retains).Has(i) || w.stored(&c, i)) {
				return true
			}
		}
	}
	return false
}

// failing is a visitor that looks for returns of an error without the object.
type failing struct {
	of        *keeper
	anyReturn bool // without a result for errors: what the function itself does hands the object over
}

// Visit ends a path well where the keeper does, and where the function succeeds.
func (v *failing) Visit(instr ssa.Instruction, s *paths.State) bool {
	if failed, _ := s.Noted(failed); instr == ssa.Instruction(v.of.g.Call.Instr) && !failed {
		return false
	}
	switch instr := instr.(type) {
	case *ssa.Return:
		if !v.fails(instr, s) {
			return false
		}
	case ssa.CallInstruction:
		if v.of.named(instr) {
			return false
		}
	}
	before := len(v.of.exits)
	goOn := v.of.Visit(instr, s)
	if failed, _ := s.Noted(failed); len(v.of.exits) > before && v.of.exits[before].How != events.NextRound && (failed || v.of.exits[before].How == events.ErrorReturn) {
		v.of.exits[before].How = events.FailedReturn
	}
	return goOn
}

// failed is noted where the last error that a path has asked for is one.
const failed = "failed"

// Branch notes which errors are there on a path.
func (v *failing) Branch(cond *ssa.If, taken bool, s *paths.State) bool {
	if x, isNil := ssax.NilTest(cond.Cond, taken); x != nil && ssax.IsError(x.Type()) {
		s.Note(v.of.fn.Program.Stored(x), !isNil)
		s.Note(failed, !isNil)
	}
	return v.of.Branch(cond, taken, s)
}

// Merge notes whether a merged value is the object on an edge.
func (v *failing) Merge(phi *ssa.Phi, edge ssa.Value, s *paths.State) {
	v.of.Merge(phi, edge, s)
}

// fails reports whether a return certainly returns an error, or follows one that the function cannot
// return; or is any of a function that returns no errors and whose own code hands the object over elsewhere.
func (v *failing) fails(ret *ssa.Return, s *paths.State) bool {
	if ret.Block() == v.of.fn.F.Recover {
		return false
	}
	for _, r := range ret.Results {
		if ssax.IsError(r.Type()) {
			is, known := v.isFailure(r, s)
			return is && known
		}
	}
	is, _ := s.Noted(failed)
	return is || v.anyReturn
}

// isFailure reports whether an error is one, if the path so far tells.
func (v *failing) isFailure(r ssa.Value, s *paths.State) (is, known bool) {
	r = v.of.fn.Program.Stored(r)
	if is, known = s.Noted(r); known {
		return is, true
	}
	if ssax.Failure(r) {
		return true, true
	}
	// An error that is made of one: wrapped, or told where it happened.
	if call, ok := r.(*ssa.Call); ok {
		for _, arg := range call.Call.Args {
			if is, known := s.Noted(v.of.fn.Program.Stored(arg)); known && ssax.IsError(arg.Type()) {
				return is, true
			}
		}
	}
	return false, false
}
