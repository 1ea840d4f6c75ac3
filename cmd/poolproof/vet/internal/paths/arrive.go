package paths

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
)

// A walk that begins in the middle of a function stands for the end of a path from the entry, and
// what that path has decided holds on: which flag it has set, which of two conditions of one value
// it has passed. So the walk begins with the states in which paths from the entry arrive.

// maxArrivals bounds the states in which a walk begins. If there are more, it begins with what the
// conditions above say.
const maxArrivals = 16

// arrivalBudget is for the walk of a function from its entry to all of its blocks.
const arrivalBudget = 5000

// arrivals are the states in which paths from the entry of a function come to its blocks.
type arrivals struct {
	whole  bool
	states map[*ssa.BasicBlock][]*State
}

// Reached reports whether a block may be executed: a path leads there whose conditions do not
// contradict each other.
func (w *Walker) Reached(b *ssa.BasicBlock) bool {
	all := w.arrivalsIn(b.Parent())
	return !all.whole || len(all.states[b]) > 0
}

// at returns the states in which paths that agree with what is known arrive after an instruction.
func (w *Walker) at(start ssa.Instruction, s *State) (states []*State) {
	block := start.Block()
	all := w.arrivalsIn(block.Parent())
	if len(s.phis) > 0 || !all.whole || len(all.states[block]) > maxArrivals {
		w.dominating(block, s)
		return []*State{s}
	}
	for _, from := range all.states[block] {
		next := from.clone()
		for _, instr := range block.Instrs {
			deferring{}.Visit(instr, next)
			w.effect(instr, next)
			if instr == start {
				break
			}
		}
		if next.also(s) {
			states = append(states, next)
		}
	}
	return states
}

// also adds what is known and noted in another state. It reports whether the two agree.
func (s *State) also(other *State) bool {
	if slices.ContainsFunc(other.known, s.denies) {
		return false
	}
	s.assume(other.known...)
	for what, live := range other.live {
		s.Note(what, live)
	}
	return true
}

// denies reports whether the opposite of a condition is known.
func (s *State) denies(k known) bool {
	return slices.ContainsFunc(s.known, func(o known) bool {
		return o.text == k.text && o.equals == k.equals && o.value != k.value
	})
}

// begin returns the states in which a function begins. A literal is called after paths have come to where
// it is made, and finds the variables that are set once as they were there.
func (w *Walker) begin(f *ssa.Function) []*State {
	made := w.Program.Maker(f)
	if made == nil {
		return []*State{{}}
	}
	states := w.at(made, &State{})
	for _, s := range states {
		s.phis, s.live = nil, nil
		s.known = slices.DeleteFunc(s.known, func(k known) bool {
			return len(k.places) == 0 || slices.ContainsFunc(k.places, func(v memory.Var) bool { return !v.SetBefore(w.Program.Places, made) })
		})
	}
	return states
}

// Deferred is noted of each defer statement that a path has passed before a walk begins.
type Deferred struct{ *ssa.Defer }

type deferring struct{ Everywhere }

func (deferring) Visit(instr ssa.Instruction, s *State) bool {
	if d, ok := instr.(*ssa.Defer); ok {
		s.Note(Deferred{d}, true)
	}
	return true
}

func (w *Walker) arrivalsIn(f *ssa.Function) *arrivals {
	if all := w.arrived[f]; all != nil {
		return all
	}
	all := &arrivals{states: make(map[*ssa.BasicBlock][]*State)}
	if w.arrived == nil {
		w.arrived = make(map[*ssa.Function]*arrivals)
	}
	w.arrived[f] = all
	w.asked(f)
	var stack []step
	for _, s := range w.begin(f) {
		stack = append(stack, step{f.Blocks[0], 0, s})
	}
	entry := Walker{Program: w.Program, Budget: arrivalBudget, questions: w.questions}
	seen := make(map[string]bool)
	for len(stack) > 0 {
		if entry.Budget <= 0 {
			return all
		}
		next := stack[len(stack)-1]
		all.states[next.block] = append(all.states[next.block], next.state.clone())
		stack = entry.block(next, deferring{}, seen, stack[:len(stack)-1])
	}
	all.whole = true
	return all
}
