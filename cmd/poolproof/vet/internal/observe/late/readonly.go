package late

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// Written asks of each value that others read at the same time whether it is written.
func Written(fn *scene.Function) (questions []scene.Question) {
	for _, s := range fn.Shown {
		first := events.Event{Kind: events.Get, How: events.ReadOnly, Pos: ssax.Position(s.Call), What: s.By}
		questions = append(questions, func() []scene.Found { return written(fn, s.Value, s.Call, first) })
	}
	for _, p := range fn.Passed {
		if p.ReadOnly {
			first := events.Event{Kind: events.Get, How: events.ReadOnly, Pos: p.Param.Pos(), What: p.To}
			questions = append(questions, func() []scene.Found { return written(fn, p.Param, nil, first) })
		}
	}
	return questions
}

// written finds the first write to a value on each path from where it comes from: a call, or
// the entry of the function.
func written(fn *scene.Function, root ssa.Value, from ssa.Instruction, first events.Event) (found []scene.Found) {
	al := fn.AliasesOf(root)
	if al == nil || locks(fn.Code, al) {
		return nil
	}
	w := &track.Follower{Table: fn.Table, Al: al, Start: fn.F.Blocks[0].Instrs[0]}
	w.Found = func(instr ssa.Instruction, t track.Touch, s *paths.State) bool {
		if t.How != events.Written || t.What == "append" && ssax.IsSlice(root.Type()) {
			return true // an append to a slice without more capacity copies it
		}
		obj := fn.Made[root]
		if obj == nil {
			obj = fn.Object(root, ssax.ObjectType(root), nil)
			fn.Made[root] = obj
		}
		e := fn.Event(events.Use, instr)
		e.How, e.What = events.Written, t.What
		found = append(found, scene.Found{Of: obj, History: events.History{Events: []events.Event{first, e}, Reach: t.Reach}})
		return true
	}
	if from == nil {
		fn.Walker.Entry(fn.F, w)
		return found
	}
	w.Start = from
	fn.Walker.From(from, w)
	return found
}

// locks reports whether the function locks something that the object has in itself: what
// that guards may be written.
func locks(fn *track.Code, al *alias.Set) bool {
	return flow.Any(fn.Program.Calls(fn.F), func(c *flow.Call) bool {
		return flow.IsMethod(c) && names.IsJoin(c.Name()) && al.Has(c.Args[0])
	})
}
