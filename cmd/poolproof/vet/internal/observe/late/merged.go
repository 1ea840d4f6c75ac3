package late

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// AfterMerged walks from a put once for each value that was one of several objects: on the paths
// on which it was the one that is put, that must not be used or put by its other name; where a deferred call puts
// it, not be put.
func AfterMerged(fn *scene.Function, p *track.Put) (found []scene.Found) {
	if len(p.Roots) > 1 || p.Captured || p.At != nil {
		return found
	}
	for b := p.Call.Instr.Block(); b != nil && !p.Call.Deferred(); b = b.Idom() {
		for _, instr := range b.Instrs {
			phi, ok := instr.(*ssa.Phi)
			if !ok || ssa.Value(phi) == p.Roots[0] || ssax.Reaches(b, b) {
				continue
			}
			for i, edge := range phi.Edges {
				switch origin := fn.Program.Origin(edge); {
				case origin == p.Roots[0]:
					found = append(found, afterEdge(fn, p, p, phi, i)...)
				case readAgain(fn.Code, origin, p):
					one := *p
					one.Roots = []ssa.Value{origin}
					found = append(found, afterEdge(fn, p, &one, phi, i)...)
				}
			}
		}
	}
	if phi, ok := p.Roots[0].(*ssa.Phi); ok && !ssax.Reaches(phi.Block(), phi.Block()) {
		for i, edge := range phi.Edges {
			root := fn.Program.Origin(edge)
			if _, isMerged := root.(*ssa.Phi); isMerged || ssax.IsNil(root) || !ssax.HasPointers(root.Type()) {
				continue
			}
			one := *p
			one.Roots = []ssa.Value{root}
			if p.Call.Deferred() {
				found = append(found, deferredEdge(fn, &one, phi, i)...)
				continue
			}
			found = append(found, afterEdge(fn, p, &one, phi, i)...)
		}
	}
	return found
}

// deferredEdge finds the deferred puts of an object that another deferred call puts where a merged value is the one
// of an edge.
func deferredEdge(fn *scene.Function, one *track.Put, phi *ssa.Phi, edge int) (found []scene.Found) {
	known := func() *paths.State {
		s := fn.Walker.Edge(phi, edge)
		s.Note(ssa.Value(phi), true)
		return s
	}
	if fn.Walker.Contradicts(one.Call.Instr.Block(), known()) {
		return nil
	}
	for _, f := range deferred(fn, one, known) {
		if f.Last().Kind == events.Put {
			found = append(found, f)
		}
	}
	return found
}

// readAgain reports whether a value was read out of the place of which a put reads its object later, with
// nothing stored there in between.
func readAgain(fn *track.Code, v ssa.Value, p *track.Put) bool {
	first, again := ssax.Load(v), ssax.Load(p.Roots[0])
	if first == nil || again == nil || first.Parent() != fn.F || !ssax.MayPrecede(first, again) {
		return false
	}
	from, ok := fn.Program.Place(first.X)
	to, known := fn.Program.Place(again.X)
	return ok && known && from == to && !from.Local() && !fn.MovedBetween(first, again, from)
}

// afterEdge walks from a put where a merged value is the one of an edge, the object of one.
func afterEdge(fn *scene.Function, p, one *track.Put, phi *ssa.Phi, edge int) (found []scene.Found) {
	al := fn.Aliases(one)
	if al == nil {
		return found
	}
	w := &track.Follower{Table: fn.Table, Al: al, Start: p.Call.Instr, Detached: fn.DetachedBefore(al, nil, p.Call.Instr)}
	w.Found = func(instr ssa.Instruction, t track.Touch, _ *paths.State) bool {
		call, isCall := instr.(ssa.CallInstruction)
		if instr == p.Call.Instr || t.Kind == events.Put && isCall && fn.IsCounted(call) {
			return false
		}
		second := fn.Event(t.Kind, instr)
		second.How, second.What = t.How, t.What
		found = append(found, fn.Found(p, events.History{Events: append(fn.GetsOf(one), fn.PutEvent(p), second), Reach: max(t.Reach, events.Container)}))
		return false
	}
	s := fn.Walker.Edge(phi, edge)
	if fn.Walker.Contradicts(p.Call.Instr.Block(), s) {
		return nil
	}
	s.Note(ssa.Value(phi), true)
	fn.Walker.FromWith(p.Call.Instr, s, w)
	return found
}
