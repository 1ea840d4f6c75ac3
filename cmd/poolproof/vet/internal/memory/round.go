package memory

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// EarlierRound reports whether an instruction that reads a local variable may see the value
// that a store put there in an earlier round of a loop, which has been computed again
// since: last, in a loop that puts last before it assigns the next one.
func EarlierRound(v ssa.Value, s *ssa.Store, variable *ssa.Alloc, load ssa.Instruction) bool {
	def, ok := ssax.Strip(v).(ssa.Instruction)
	if !ok || def.Block() == nil || def.Parent() != variable.Parent() {
		return false // a parameter: there is one, for all rounds
	}
	if !ssax.Passes(def.Block(), def.Block(), variable.Block()) {
		return false // one a call of the function, or each round has a variable of its own
	}
	return slices.ContainsFunc(readers(load, variable.Parent(), 0), func(at ssa.Instruction) bool { return unstored(def, s, at) })
}

// unstored reports whether a path leads from an instruction to a later one without the
// store.
func unstored(from ssa.Instruction, s *ssa.Store, to ssa.Instruction) bool {
	switch {
	case s.Parent() != to.Parent():
		return true // a literal stores: when is not known
	case !from.Block().Dominates(to.Block()):
		return true // after the loop there may have been no round
	case to.Block() == s.Block():
		return ssax.Before(to, s)
	case to.Block() == from.Block() && ssax.Before(from, to):
		return true
	case from.Block() == s.Block():
		return false
	}
	return ssax.Passes(from.Block(), to.Block(), s.Block())
}

// sites returns where a function value acts that an instruction uses.
func sites(use ssa.Instruction) (list []ssa.Instruction) {
	switch use := use.(type) {
	case *ssa.Defer:
		for instr := range ssax.Instrs(use.Parent()) {
			switch instr.(type) {
			case *ssa.RunDefers, *ssa.Panic:
				list = append(list, instr)
			}
		}
	case *ssa.Store: // into a variable that a literal captures: where the variable is read
		for _, ref := range *use.Addr.Referrers() {
			if load, ok := ref.(*ssa.UnOp); ok {
				list = append(list, load)
			}
		}
	case *ssa.DebugRef:
	default:
		list = append(list, use)
	}
	return list
}

// readers returns the instructions of f by which an instruction is reached that stands in
// f or in a literal of it: there, they are those that call or pass on the literal, and the
// ends of f if it is deferred.
func readers(at ssa.Instruction, f *ssa.Function, depth int) (list []ssa.Instruction) {
	literal := at.Parent()
	if literal == f {
		return []ssa.Instruction{at}
	}
	if literal.Parent() == nil || depth > MaxPath {
		return nil
	}
	for made := range ssax.Of[*ssa.MakeClosure](literal.Parent()) {
		if made.Fn != literal {
			continue
		}
		for _, use := range *made.Referrers() {
			for _, site := range sites(use) {
				list = append(list, readers(site, f, depth+1)...)
			}
		}
	}
	return list
}
