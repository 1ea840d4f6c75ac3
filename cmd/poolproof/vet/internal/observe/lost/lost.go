package lost

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// Leaks walks from a get along all paths to a return, or back to the get, on
// which the object is neither put nor handed to somebody else.
func Leaks(fn *scene.Function, g track.Get) (found []scene.Found) {
	if fn.Out.Test || !scene.Refers(fn.Made[g.Value].Type) && !g.Holder() || g.UnlessNil() || runsOnce(g) {
		return found
	}
	al := fn.AliasesOf(g.Value)
	if al == nil {
		return found
	}
	w := newKeeper(fn, g, al)
	if found := shadowed(fn, w); found != nil {
		return found
	}
	if len(w.puts) == 0 && (w.transfers > 0 || endsInCallee(fn, w)) {
		return slices.Concat(kept(fn, w), lostWhereItFails(fn, w), lostInside(fn, w)) // somebody else's to put
	}
	if fn.Events.Directives.Drop(ssax.Position(g.Call.Instr)) {
		return found
	}
	if len(w.puts) == 0 && w.offers == 0 {
		if putsAlike(fn, g, al) {
			return found // it may be this one, by a way that is not followed
		}
		if !comesTo(g) {
			return found
		}
		never := fn.Event(events.Exit, g.Call.Instr)
		never.What = g.Call.Name()
		return []scene.Found{w.ending(never)}
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
		found = append(found, w.ending(e))
	}
	return found
}

// putsAlike reports whether the function, or a literal in it, puts an object of the same
// type that is not known to be another one which it got.
func putsAlike(fn *scene.Function, g track.Get, al *alias.Set) bool {
	t := fn.Made[g.Value].Type
	for i := range fn.Puts {
		p := &fn.Puts[i]
		if ssax.IsNil(ssax.Strip(p.Arg)) || !p.Captured && another(fn, p.Arg, al) {
			continue
		}
		if obj := fn.ObjectOf(p); obj.Get == nil && t != nil && obj.Type != nil && types.Identical(obj.Type, t) {
			return true
		}
	}
	return false
}

// another reports whether a value is certainly not an object of the function: all that it may be was got
// from a pool too, or made here, or is the result of a call that does not have the object.
func another(fn *scene.Function, v ssa.Value, al *alias.Set) bool {
	return !slices.ContainsFunc(fn.Program.Origins(v), func(o flow.Origin) bool {
		if fn.GetOf(o.Root) != nil || ssax.Is[*ssa.Alloc](o.Root) {
			return al.Has(o.Root)
		}
		call, ok := o.Root.(*ssa.Call)
		return !ok || call.Call.IsInvoke() || call.Call.StaticCallee() == nil || slices.ContainsFunc(call.Call.Args, func(arg ssa.Value) bool { return ssax.HasPointers(arg.Type()) })
	})
}

// comesTo reports whether a return, or the next get, follows a get. The program, or the
// goroutine, ends with what does not come to one: a call that panics, a loop without end.
func comesTo(g track.Get) bool {
	from := g.Call.Instr.Block()
	if ssax.Reaches(from, from) {
		return true
	}
	return ssax.Any(ssax.Returns(from.Parent()), func(ret *ssa.Return) bool { return ret.Block() == from || ssax.Reaches(from, ret.Block()) })
}

// runsOnce reports whether a get stands in main or init itself, and in no loop there: no second run of it
// could have had the object. Literals in them may be called again.
func runsOnce(g track.Get) bool {
	b := g.Call.Instr.Block()
	f := b.Parent()
	return f.Parent() == nil && (f.Name() == "main" || strings.HasPrefix(f.Name(), "init#")) && !ssax.Reaches(b, b)
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
