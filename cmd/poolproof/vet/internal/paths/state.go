// Package paths walks along the paths of a function, and leaves out those that
// contradict themselves.
package paths

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// State holds the facts on one path. A visitor may read and change it.
type State struct {
	known []known
	phis  map[*ssa.Phi]ssa.Value // what each merged value was on this path, if that matters
	live  map[any]bool           // the visitor's notes about values and places
	from  *State                 // while values are merged, all at once: the state before, whose notes are read
}

// known is a condition whose value is known: text is a key, equals another one
// that it equals or not.
type known struct {
	text   string
	equals string // "" for a condition by itself
	fixed  bool   // equals is of a constant
	value  bool
	blocks []*ssa.BasicBlock
	places []memory.Var
}

func (s *State) clone() *State {
	return &State{known: slices.Clone(s.known), phis: maps.Clone(s.phis), live: maps.Clone(s.live)}
}

// Note keeps a bit about a value or a place.
func (s *State) Note(what any, live bool) {
	if s.live == nil {
		s.live = make(map[any]bool)
	}
	s.live[what] = live
}

// Noted returns the bit that was kept, and whether there is one.
func (s *State) Noted(what any) (live, ok bool) {
	if s.from != nil {
		return s.from.Noted(what)
	}
	live, ok = s.live[what]
	return live, ok
}

// Drop forgets a bit.
func (s *State) Drop(what any) { delete(s.live, what) }

// Noteds calls f with all that was noted.
func (s *State) Noteds(f func(what any, live bool)) {
	for what, live := range s.live {
		f(what, live)
	}
}

// Told adds that a result has one of two values: it is true, or nil if it is an error; or
// the opposite. A nil result tells nothing.
func (s *State) Told(p *flow.Program, result ssa.Value, yes bool) *State {
	if result == nil {
		return s
	}
	k := p.KeyOf(result)
	f := known{text: k.Text, value: yes, blocks: k.Blocks}
	if types.IsInterface(result.Type()) {
		f.equals, f.fixed = "nil", true
	}
	s.assume(f)
	return s
}

// Resolve returns what a merged value was on this path, or the value itself.
func (s *State) Resolve(v ssa.Value) ssa.Value {
	if phi, ok := v.(*ssa.Phi); ok {
		if edge := s.phis[phi]; edge != nil {
			return edge
		}
	}
	return v
}

// assume adds a condition.
func (s *State) assume(facts ...known) {
	for _, k := range facts {
		i := slices.IndexFunc(s.known, func(o known) bool { return o.text == k.text && o.equals == k.equals })
		if i >= 0 {
			s.known[i] = k
			continue
		}
		if len(s.known) >= maxKnown {
			s.known = slices.Delete(s.known, 0, 1) // the oldest one: fewer excuses, no false step
		}
		s.known = append(s.known, k)
	}
}

// maxKnown bounds how many conditions are kept.
const maxKnown = 24

// enter forgets what cannot be asked for in a block without being computed anew:
// what is known of values whose block does not dominate it. What a literal has
// from the function around it stays as it is while the literal runs.
func (s *State) enter(to *ssa.BasicBlock) {
	s.known = slices.DeleteFunc(s.known, func(k known) bool {
		return slices.ContainsFunc(k.blocks, func(b *ssa.BasicBlock) bool {
			return b.Parent() == to.Parent() && (b == to || !b.Dominates(to))
		})
	})
	gone := func(v ssa.Value) bool {
		instr, ok := v.(ssa.Instruction)
		return ok && instr.Parent() == to.Parent() && instr.Block() != nil && !instr.Block().Dominates(to)
	}
	for phi, v := range s.phis {
		if gone(phi) || computedIn(v, to) {
			delete(s.phis, phi)
		}
	}
	for what := range s.live {
		if v, ok := what.(ssa.Value); ok && gone(v) {
			delete(s.live, what)
		}
	}
}

// computedIn reports whether a block computes a value: from there on, what was merged before is another one.
func computedIn(v ssa.Value, b *ssa.BasicBlock) bool {
	instr, ok := v.(ssa.Instruction)
	return ok && instr.Block() == b
}

// written forgets what was known of a place and of what is reached through it.
func (s *State) written(place memory.Var) {
	s.known = slices.DeleteFunc(s.known, func(k known) bool {
		return slices.ContainsFunc(k.places, func(v memory.Var) bool { return v.Within(place) || place.Within(v) })
	})
}

// Ran forgets what was known of the variables that a call, by a literal, may have assigned.
func (s *State) Ran(p *flow.Program, call ssa.CallInstruction) {
	s.known = slices.DeleteFunc(s.known, func(k known) bool {
		return slices.ContainsFunc(k.places, func(v memory.Var) bool {
			variable, isVar := v.Base.(*ssa.Alloc)
			return isVar && p.MayAssign(call, variable)
		})
	})
}

// text is a state as a key of a map: equal states have equal texts.
func (s *State) text(p *flow.Program) string {
	var parts []string
	for _, k := range s.known {
		parts = append(parts, fmt.Sprintf("%s=%s:%t", k.text, k.equals, k.value))
	}
	for phi, v := range s.phis {
		parts = append(parts, fmt.Sprintf("p%d=%d", p.Number(phi), p.Number(v)))
	}
	for what, live := range s.live {
		switch what := what.(type) {
		case ssa.Value:
			parts = append(parts, fmt.Sprintf("l%d=%t", p.Number(what), live))
		case memory.Var:
			parts = append(parts, fmt.Sprintf("l%s=%t", p.PlaceText(what), live))
		default:
			parts = append(parts, fmt.Sprintf("l%v=%t", what, live))
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, ";")
}

// matters reports whether a condition may be decided by the value of a phi.
func matters(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Const, *ssa.MakeInterface, *ssa.Alloc, *ssa.Call, *ssa.Extract, *ssa.TypeAssert:
		return true
	}
	return ssax.IsBool(v.Type()) // itself a condition
}
