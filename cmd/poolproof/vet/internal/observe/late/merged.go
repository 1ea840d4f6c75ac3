package late

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/site"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// AfterMerged walks from a put of one of several objects, once for each: on the paths on
// which the put was of that object, it must not be used or put by its other name.
func AfterMerged(fn *scene.Function, p *site.Put) (found []scene.Found) {
	phi, ok := p.Roots[0].(*ssa.Phi)
	if !ok || len(p.Roots) > 1 || p.Captured || p.At != nil || p.Call.Deferred() || ssax.Reaches(phi.Block(), phi.Block()) {
		return found
	}
	for i, edge := range phi.Edges {
		root := fn.Program.Origin(edge)
		if _, isMerged := root.(*ssa.Phi); isMerged || ssax.IsNil(root) || !ssax.HasPointers(root.Type()) {
			continue
		}
		one := *p
		one.Roots = []ssa.Value{root}
		al := fn.Aliases(&one)
		if al == nil || !track.Walkable(al) {
			continue
		}
		w := &track.Follower{Table: fn.Table, Al: al, Start: p.Call.Instr, Detached: fn.DetachedBefore(al, p.Call.Instr)}
		w.Found = func(instr ssa.Instruction, t track.Touch, _ *paths.State) bool {
			call, isCall := instr.(ssa.CallInstruction)
			if instr == p.Call.Instr || t.Kind == events.Put && isCall && fn.IsCounted(call) {
				return false
			}
			second := fn.Event(t.Kind, instr)
			second.How, second.What = t.How, t.What
			found = append(found, fn.Found(p, events.History{Events: append(fn.GetsOf(&one), fn.PutEvent(p), second), Reach: max(t.Reach, events.Container)}))
			return false
		}
		fn.Walker.FromEdge(p.Call.Instr, phi, i, w)
	}
	return found
}
