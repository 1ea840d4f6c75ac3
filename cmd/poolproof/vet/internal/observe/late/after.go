package late

import (
	"go/ast"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// After walks from a direct put along all paths to the first use of the object.
func After(fn *scene.Function, p *track.Put) (found []scene.Found) {
	al := fn.Aliases(p)
	if al == nil || failedToGet(fn.Code, p) {
		return found
	}
	atEnd := readAtEnd(fn.Code)
	inPlace := func(e *events.Event, d ssa.Instruction) { e.Node = onEachPath(e.Node, d, p.Instr()) }
	first := fn.PutEvent(p)
	w := &track.Follower{Table: fn.Table, Al: al, Start: p.Instr(), Detached: fn.DetachedBefore(al, nil, p.Instr())}
	w.Place, w.Chosen = p.Where(), p.Chosen
	for f := -1; f < 64 && p.At == nil; f++ {
		if p.Call.Summary.Detaches(p.Index, f) {
			w.Detached[f] = true // by the callee, before it puts
		}
	}
	report := func(instr ssa.Instruction, t track.Touch, deferred bool) {
		second := fn.Event(t.Kind, instr)
		if deferred {
			inPlace(&second, instr)
		}
		second.How, second.What, second.Deferred = t.How, t.What, deferred
		found = append(found, fn.Found(p, events.History{
			Events:   append(fn.GetsOf(p), first, second),
			Reach:    t.Reach,
			Copyable: nil,
		}))
	}
	w.Found = func(instr ssa.Instruction, t track.Touch, s *paths.State) bool {
		if instr == p.Instr() && (t.Kind == events.Put || p.At != nil) && freshRound(al, p) {
			return false
		}
		if instr == p.Instr() && t.Kind != events.Put && p.At == nil {
			return true
		}
		call, isCall := instr.(ssa.CallInstruction)
		d, deferred := instr.(*ssa.Defer)
		if atEnd[d] {
			s.Note(ssa.Instruction(d), true)
			return true
		}
		if t.Kind == events.Put && isCall && fn.IsCounted(call) {
			return true
		}
		if p.Waits && t.Kind != events.Put {
			return true
		}
		report(instr, t, deferred)
		return false
	}
	w.Defers = func(at ssa.Instruction, s *paths.State) {
		for _, d := range slices.Backward(fn.Defers) {
			t := w.View(s).Call(d)
			late, _ := s.Noted(ssa.Instruction(d)) // deferred after the put
			w.Ran(d, s)
			if !late && !deferredBefore(fn.Code, d, p, s) {
				continue
			}
			if t.Kind == 0 && putsIfItFails(fn.Code, al, d, at.Block()) {
				t = track.Touch{Kind: events.Put, What: p.Call.Name()}
			}
			if t.Kind == 0 && putsIfItPanics(fn.Code, al, p.Instr(), d) {
				t = track.Touch{Kind: events.Put, What: p.Call.Name(), Reach: events.Field}
			}
			if t.Kind == 0 || t.Kind == events.Put && fn.IsCounted(d) || p.Waits && t.Kind != events.Put {
				continue
			}
			report(d, t, true)
		}
	}
	w.Leave = func(_ *ssa.Return, s *paths.State) {
		for _, c := range fn.Cleanups {
			if t := w.View(s).Resolved(c); t.Kind == events.Put && ssax.Before(c.Instr, p.Instr()) {
				report(c.Instr, t, true)
			}
		}
	}
	s := p.State(fn.Walker).Told(fn.Program, p.Told, p.ToldYes)
	if p.Captured && !p.Call.Deferred() {
		if alloc, ok := p.Arg.(*ssa.Alloc); !ok || !w.Held(memory.Var{Base: alloc}, s) {
			return found // a literal may have assigned another object
		}
		w.Ran(p.Call.Instr, s) // it may assign what it captures after it has put that
	}
	fn.Walker.FromWith(p.Instr(), s, w)
	return found
}

// deferredBefore reports whether a path that has come to a put has passed a defer statement: one that is
// on every path, or under conditions on what the function was given. Under others it may be that there is
// no object.
func deferredBefore(fn *track.Code, d *ssa.Defer, p *track.Put, s *paths.State) bool {
	if ssax.Before(d, p.Instr()) {
		return true
	}
	for cond, b := range ssax.Above(d.Block()) {
		if b.Dominates(p.Instr().Block()) {
			break
		}
		if _, decides := ssax.Leads(cond, b); decides && !memory.OnInput(cond.Cond, fn.Program.Places) {
			return false
		}
	}
	passed, _ := s.Noted(paths.Deferred{Defer: d})
	return passed
}

// onEachPath returns a call if an instruction stands on each path on which a put does, nil if it stands on
// some of them only: then the one cannot take the place of the other.
func onEachPath(call ast.Node, instr, put ssa.Instruction) ast.Node {
	if ssax.Before(instr, put) || instr.Block() == put.Block() {
		return call
	}
	return nil
}

// readAtEnd returns the deferred calls of literals, which find in the variables that they capture
// what these hold when the function ends.
func readAtEnd(fn *track.Code) map[*ssa.Defer]bool {
	atEnd := make(map[*ssa.Defer]bool)
	for _, d := range fn.Defers {
		c := fn.Program.Resolve(d)
		atEnd[d] = c.Lit != nil && c.Captures < len(c.Args)
	}
	return atEnd
}

// failedToGet reports whether a put is reached only where the call that returned the
// object has also returned an error: there is no object then, as a rule.
func failedToGet(fn *track.Code, p *track.Put) bool {
	if len(p.Roots) == 0 {
		return false
	}
	object, ok := p.Roots[0].(*ssa.Extract)
	if !ok {
		return false
	}
	isNil, known := ssax.Tested(object, p.Instr().Block(), func(x, _ ssa.Value) bool {
		err, ok := fn.Program.Stored(x).(*ssa.Extract)
		return ok && err.Tuple == object.Tuple && ssax.IsError(err.Type())
	})
	return known && !isNil
}

// freshRound reports whether the put comes back to itself with a value of the
// loop's next round: one that is loaded or merged anew.
func freshRound(al *alias.Set, p *track.Put) bool {
	if base, ok := p.Place.Base.(ssa.Instruction); ok && ssax.MayPrecede(p.Instr(), base) {
		return true // the struct whose field it is
	}
	root, ok := al.Root.(ssa.Instruction)
	return ok && root.Block() != nil && !root.Block().Dominates(p.Instr().Block())
}

// AfterHandOvers asks for uses after each hand-over.
func AfterHandOvers(fn *scene.Function) (questions []scene.Question) {
	for i := range fn.Handed {
		if p := &fn.Handed[i]; scene.Refers(fn.ObjectOf(p).Type) && fn.Happens(p) {
			questions = append(questions, func() []scene.Found { return After(fn, p) })
		}
	}
	return questions
}
