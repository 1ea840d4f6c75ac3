package lost

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/site"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// Leaks walks from a get along all paths to a return, or back to the get, on
// which the object is neither put nor handed to somebody else.
func Leaks(fn *scene.Function, g site.Get) (found []scene.Found) {
	if fn.Out.Test || !scene.Refers(fn.Made[g.Value].Type) {
		return found
	}
	if g.UnlessNil() {
		return found
	}
	al := fn.Bounded(alias.Of(fn.Program, g.Value))
	if al == nil {
		return found
	}
	w := &keeper{
		fate: &fate{code: fn.Code, g: g, al: al, release: release(g)},
		fn:   fn, ends: make(map[ssa.Instruction]end), behind: make(map[token.Pos]bool),
	}
	classify(fn.Code, w)
	if len(w.puts) > 0 {
		w.reach = reaching(g.Call.Instr, w.puts)
	}
	if len(w.puts) == 0 && w.transfers > 0 {
		return slices.Concat(replaced(fn, w), lostWhereItFails(fn, w), lostInside(fn, w)) // somebody else's to put
	}
	if fn.Events.Directives.Drop(ssax.Position(g.Call.Instr)) {
		return found
	}
	obj := fn.Made[g.Value]
	if len(w.puts) == 0 && w.offers == 0 {
		if putsAlike(fn, g) {
			return found // it may be this one, by a way that is not followed
		}
		never := fn.Event(events.Exit, g.Call.Instr)
		never.What = g.Call.Name()
		if !comesTo(g) {
			return found
		}
		found = append(found, scene.Found{Of: obj, History: events.History{Events: []events.Event{*obj.Get, never}}})
		return found
	}
	found = append(found, lostInside(fn, w)...)
	if !fn.Walker.From(g.Call.Instr, w) {
		return found
	}
	pool := endsWithPool(fn, g)
	for _, e := range w.oncePerLoop() {
		if pool && e.How != events.NextRound {
			continue
		}
		found = append(found, scene.Found{Of: obj, History: events.History{Events: []events.Event{*obj.Get, e}}})
	}
	return found
}

// putsAlike reports whether the function, or a literal in it, puts an object of the same
// type that is not known to be another one which it got.
func putsAlike(fn *scene.Function, g site.Get) bool {
	t := fn.Made[g.Value].Type
	for i := range fn.Puts {
		p := &fn.Puts[i]
		if ssax.IsNil(ssax.Strip(p.Arg)) {
			continue
		}
		if obj := fn.ObjectOf(p); obj.Get == nil && t != nil && obj.Type != nil && types.Identical(obj.Type, t) {
			return true
		}
	}
	return false
}

// comesTo reports whether a return, or the next get, follows a get. The program, or the
// goroutine, ends with what does not come to one: a call that panics, a loop without end.
func comesTo(g site.Get) bool {
	from := g.Call.Instr.Block()
	if ssax.Reaches(from, from) {
		return true
	}
	for ret := range ssax.Returns(from.Parent()) {
		if ret.Block() == from || ssax.Reaches(from, ret.Block()) {
			return true
		}
	}
	return false
}

// LeakingHolders asks for paths on which such a struct is neither ended nor handed to
// other code.
func LeakingHolders(fn *scene.Function) (questions []scene.Question) {
	for _, g := range fn.Holders {
		if fn.Made[g.Value] == nil {
			fn.Made[g.Value] = fn.Object(g.Value, ssax.ObjectType(g.Value), &g)
		}
		questions = append(questions, func() []scene.Found { return Leaks(fn, g) })
	}
	return questions
}
