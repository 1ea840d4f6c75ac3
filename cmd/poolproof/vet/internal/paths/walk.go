package paths

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// Visitor sees what a path passes.
type Visitor interface {
	// Visit is called with each instruction but phis and ifs. It reports whether
	// the path goes on.
	Visit(instr ssa.Instruction, s *State) bool
	// Merge is called with each phi and the value that it has on this path.
	Merge(phi *ssa.Phi, edge ssa.Value, s *State)
	// Branch is called before a path takes an edge that nothing known
	// contradicts. It reports whether to take it.
	Branch(cond *ssa.If, taken bool, s *State) bool
}

// Everywhere is the part of a visitor that takes all edges, and notes nothing of merged values.
type Everywhere struct{}

// Merge does nothing.
func (Everywhere) Merge(*ssa.Phi, ssa.Value, *State) {}

// Branch takes all edges.
func (Everywhere) Branch(*ssa.If, bool, *State) bool { return true }

// Instrs is a visitor of instructions alone.
type Instrs struct {
	Everywhere
	Each func(instr ssa.Instruction) (goOn bool)
}

// Visit asks for one instruction.
func (v Instrs) Visit(instr ssa.Instruction, _ *State) bool { return v.Each(instr) }

// Walker walks along the paths of functions. The budget is for all walks. A walk reports
// whether it was whole: false if the budget was too small.
type Walker struct {
	Program *flow.Program
	Budget  int  // instructions that may be passed
	GaveUp  bool // whether a walk was not whole

	questions map[*ssa.Function]*questions
	arrived   map[*ssa.Function]*arrivals
}

// New returns a walker without a budget: it is asked what conditions say, and what is reached. Copies of it
// share what it has found of functions.
func New(p *flow.Program) *Walker {
	return &Walker{Program: p, questions: make(map[*ssa.Function]*questions), arrived: make(map[*ssa.Function]*arrivals)}
}

// From walks along the ends of all paths that pass an instruction, from there on.
func (w *Walker) From(start ssa.Instruction, v Visitor) (whole bool) {
	return w.FromWith(start, &State{}, v)
}

// FromWith walks like From, with what is known there.
func (w *Walker) FromWith(start ssa.Instruction, s *State, v Visitor) (whole bool) {
	return w.from(start.Block(), slices.Index(start.Block().Instrs, start)+1, w.at(start, s), v)
}

// Edge returns what is known where a merged value is the one of an edge: the conditions of the
// way to that edge.
func (w *Walker) Edge(phi *ssa.Phi, edge int) *State {
	s := &State{phis: map[*ssa.Phi]ssa.Value{phi: phi.Edges[edge]}}
	from := phi.Block().Preds[edge]
	w.dominating(from, s)
	if cond, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If); ok && from.Succs[0] != from.Succs[1] {
		w.Assume(cond.Cond, from.Succs[0] == phi.Block(), s)
	}
	return s
}

// Condition is one that has a value where a block is executed.
type Condition struct {
	If    *ssa.If
	Value bool
}

// Above returns the conditions that must hold in a block.
func Above(block *ssa.BasicBlock) (all []Condition) {
	for cond, b := range ssax.Above(block) {
		if value, known := ssax.Leads(cond, b); known {
			all = append(all, Condition{cond, value})
		}
	}
	return all
}

// Contradicts reports whether what is known excludes a condition that must hold in a block.
func (w *Walker) Contradicts(block *ssa.BasicBlock, s *State) bool {
	return slices.ContainsFunc(Above(block), func(c Condition) bool {
		is, asked := w.Eval(c.If.Cond, s)
		return asked && is != c.Value
	})
}

// Entry walks along all paths of a function.
func (w *Walker) Entry(f *ssa.Function, v Visitor) (whole bool) {
	return w.EntryWith(f, &State{}, v)
}

// EntryWith walks along all paths of a function, with what is known at its entry.
func (w *Walker) EntryWith(f *ssa.Function, s *State, v Visitor) (whole bool) {
	if len(f.Blocks) == 0 {
		return true
	}
	begin := slices.DeleteFunc(w.begin(f), func(from *State) bool { return !from.also(s) })
	return w.from(f.Blocks[0], 0, begin, v)
}

// step is a place from which a path goes on.
type step struct {
	block *ssa.BasicBlock
	at    int
	state *State
}

func (w *Walker) from(block *ssa.BasicBlock, at int, states []*State, v Visitor) (whole bool) {
	seen := make(map[string]bool)
	var stack []step
	for _, s := range slices.Backward(states) {
		stack = append(stack, step{block, at, s})
	}
	for len(stack) > 0 {
		if w.Budget <= 0 {
			w.GaveUp = true
			return false
		}
		next := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		stack = w.block(next, v, seen, stack)
	}
	return true
}

// block passes the rest of a block, and pushes the steps after it.
func (w *Walker) block(at step, v Visitor, seen map[string]bool, stack []step) []step {
	s := at.state
	instrs := at.block.Instrs
	for _, instr := range instrs[at.at:] {
		w.Budget--
		switch instr := instr.(type) {
		case *ssa.Phi: // merged on the edge
			continue
		case *ssa.If:
			// Both edges, the false one first onto the stack.
			for _, taken := range []bool{false, true} {
				if next := w.branch(instr, taken, s, v, seen); next != nil {
					stack = append(stack, *next)
				}
			}
			return stack
		case *ssa.Jump:
			if next := w.enter(at.block, at.block.Succs[0], s, v, seen); next != nil {
				stack = append(stack, *next)
			}
			return stack
		case *ssa.Return, *ssa.Panic:
			v.Visit(instr, s)
			return stack
		}
		if !v.Visit(instr, s) {
			return stack
		}
		w.effect(instr, s)
	}
	return stack
}

// effect forgets what an instruction makes untrue.
func (w *Walker) effect(instr ssa.Instruction, s *State) {
	if call, ok := instr.(*ssa.Call); ok {
		s.Ran(w.Program, call)
	}
	store, ok := instr.(*ssa.Store)
	if !ok {
		if load, ok := instr.(*ssa.UnOp); ok && ssax.IsLoad(load) {
			w.loaded(load, s)
		}
		return
	}
	place, ok := w.Program.Place(store.Addr)
	if !ok {
		return
	}
	facts := w.stored(store.Val, place, s)
	s.written(place)
	if !place.Local() && place.Path == "" || !w.asked(instr.Parent()).again(w.Program.PlaceText(place)) {
		return
	}
	s.assume(facts...)
}

// loaded makes what is known of a place known of the value that is loaded there, if that goes by a key of
// its own, because it is asked for after the place was written again.
func (w *Walker) loaded(load *ssa.UnOp, s *State) {
	if place, ok := w.Program.Place(load.X); ok {
		if k, at := w.Program.KeyOf(load), w.Program.PlaceText(place); k.Text != at {
			s.assume(s.knownAs(at, k)...)
		}
	}
}

// knownAs returns what is known by one key, by another one.
func (s *State) knownAs(from string, to flow.Key) (facts []known) {
	for _, k := range s.known {
		if k.text == from {
			k.text, k.blocks, k.places = to.Text, to.Blocks, to.Places
			facts = append(facts, k)
		}
	}
	return facts
}

// stored returns what is known of a place once a value is stored there: what the value is, or what is
// known of it.
func (w *Walker) stored(v ssa.Value, place memory.Var, s *State) (facts []known) {
	k := known{text: w.Program.PlaceText(place), places: []memory.Var{place}, value: true, fixed: true}
	c, isConst := v.(*ssa.Const)
	switch {
	case isConst:
		if is, isBool := ssax.Truth(c); isBool {
			k.value, k.fixed = is, false
		} else {
			k.equals = w.Program.KeyOf(c).Text
		}
		return []known{k}
	case w.neverNil(v):
		k.equals, k.value = "nil", false
		return []known{k}
	}
	return s.knownAs(w.Program.KeyOf(v).Text, flow.Key{Text: k.text, Places: k.places})
}

// branch takes one edge of an if, or returns nil.
func (w *Walker) branch(cond *ssa.If, taken bool, s *State, v Visitor, seen map[string]bool) *step {
	if value, known := w.Eval(cond.Cond, s); known && value != taken {
		return nil
	}
	if !v.Branch(cond, taken, s) {
		return nil
	}
	next := s.clone()
	w.Assume(cond.Cond, taken, next)
	succ, _ := ssax.Edge(cond, taken)
	return w.enter(cond.Block(), succ, next, v, seen)
}

// enter goes into a block, unless it has been entered in the same state.
func (w *Walker) enter(from, to *ssa.BasicBlock, s *State, v Visitor, seen map[string]bool) *step {
	next := s.clone()
	edge := -1
	for i, p := range to.Preds {
		if p == from {
			edge = i
		}
	}
	// Phis are assigned at once: read all before any is changed.
	type assigned struct {
		phi   *ssa.Phi
		value ssa.Value
	}
	var list []assigned
	for _, instr := range to.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		value := phi.Edges[edge]
		if inner, isPhi := value.(*ssa.Phi); isPhi {
			if known := s.phis[inner]; known != nil {
				value = known
			}
		}
		list = append(list, assigned{phi, value})
	}
	next.from = s
	for _, a := range list {
		v.Merge(a.phi, a.value, next)
	}
	next.from = nil
	next.enter(to)
	asked := w.asked(to.Parent())
	for phi := range next.phis { // the first round of a loop is known for its first test
		if asked.loops[phi] && !asked.counts[phi] && !asked.phis[phi] {
			delete(next.phis, phi)
		}
	}
	for _, a := range list {
		_, first := a.value.(*ssa.Const)
		if asked.phis[a.phi] && matters(a.value) && !computedIn(a.value, to) || first && (asked.counts[a.phi] || asked.loops[a.phi]) {
			if next.phis == nil {
				next.phis = make(map[*ssa.Phi]ssa.Value)
			}
			next.phis[a.phi] = a.value
			continue
		}
		delete(next.phis, a.phi)
		if asked.phis[a.phi] {
			next.assume(s.knownAs(w.Program.KeyOf(a.value).Text, w.Program.KeyOf(a.phi))...)
		}
	}
	key := fmt.Sprintf("%d|%s", to.Index, next.text(w.Program))
	if seen[key] {
		return nil
	}
	seen[key] = true
	return &step{to, 0, next}
}

// dominating assumes the conditions that must hold in a block.
func (w *Walker) dominating(block *ssa.BasicBlock, s *State) {
	for _, c := range Above(block) {
		w.Assume(c.If.Cond, c.Value, s)
	}
}
