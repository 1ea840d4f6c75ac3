// Package observe turns functions into events: what happens to each pooled object on the
// paths of its function. It asks the questions of the packages below it, one after the
// other; what an event means is for the checks to say.
package observe

import (
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/observe/fit"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/observe/late"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/observe/lost"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/observe/outlive"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/observe/stale"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// Function adds the events of a function.
func Function(o *scene.Package, left *stale.Leftovers, code *track.Code) {
	fn := scene.New(o, code)
	if !fn.Concerned() && left.Forgetful[code.F] == "" {
		return
	}
	fn.Out = o.NewFunc(fn.F)
	observe(fn, left)
	fn.Done()
}

// observe makes an object of each get, and of each put whose object the function
// got otherwise, and asks all questions about them.
func observe(fn *scene.Function, left *stale.Leftovers) {
	for _, g := range fn.Gets {
		fn.Made[g.Value] = fn.Object(g.Value, ssax.ObjectType(g.Value), &g)
	}
	for i := range fn.Puts {
		p := &fn.Puts[i]
		p.Roots = fn.PutRoots(p)
		p.Counted = flow.Counted(fn.Program, p.Call.Instr)
		obj := fn.ObjectOf(p)
		obj.Puts = append(obj.Puts, fn.PutEvent(p))
	}
	for i := range fn.Puts {
		p := &fn.Puts[i]
		if (p.Certain || len(p.If) > 0) && !p.Counted && !p.Call.Started() && scene.Refers(fn.ObjectOf(p).Type) && fn.Happens(p) { // what a goroutine puts at its end is lent to it until then
			fn.Ask(func() []scene.Found { return put(fn, p) })
		}
	}
	afterFields(fn)
	fn.Ask(func() []scene.Found { return fit.Early(fn) }, func() []scene.Found { return fit.Closers(fn) }, func() []scene.Found { return fit.CutFields(fn) }, func() []scene.Found { return late.EachRound(fn) })
	fn.Ask(late.AfterOwners(fn)...)
	fn.Ask(late.AfterLists(fn)...)
	fn.Ask(late.AfterHandOvers(fn)...)
	for _, g := range fn.Gets {
		fn.Ask(func() []scene.Found { return lost.Leaks(fn, g) }, func() []scene.Found {
			return slices.Concat(left.Read(fn, g), stale.Content(fn, g), stale.Unreset(fn, g))
		})
	}
	fn.Ask(func() []scene.Found { return left.Forgets(fn) })
	fn.Ask(lost.LeakingHolders(fn)...)
	fn.Ask(lost.Entrusted(fn)...)
	fn.Ask(lost.Forgotten(fn)...)
	fn.Ask(outlive.Lent(fn)...)
	fn.Ask(late.AfterLast(fn)...)
	fn.Ask(late.Written(fn)...)
}

// put finds what is wrong with a put, before and after it.
func put(fn *scene.Function, p *track.Put) []scene.Found {
	switch {
	case p.Told != nil, !p.Certain && !p.Call.Deferred():
		return late.After(fn, p) // the rest holds of what is put on every path
	case !p.Certain:
		return late.Deferred(fn, p)
	case p.Call.Deferred():
		return slices.Concat(late.Deferred(fn, p), late.AfterMerged(fn, p), outlive.Escapes(fn, p), fit.Growth(fn, p), fit.Cut(fn, p), fit.Field(fn, p), fit.Refs(fn, p), fit.Foreign(fn, p))
	}
	return slices.Concat(late.After(fn, p), late.AfterMerged(fn, p), outlive.Escapes(fn, p), fit.Growth(fn, p), fit.Cut(fn, p), fit.Field(fn, p), fit.Refs(fn, p), fit.Foreign(fn, p), fit.Only(fn, p), fit.Borrowed(fn, p))
}

// afterFields finds what happens to what fields held after callees have put it.
func afterFields(fn *scene.Function) {
	for i := range fn.InFields {
		p := &fn.InFields[i]
		obj := &events.Object{Func: fn.Out, Name: fn.PlaceName(p.Place), Custom: p.Call.Lit == nil && !p.Taken}
		fn.Out.Objects = append(fn.Out.Objects, obj)
		p.Object = obj
		obj.Puts = append(obj.Puts, fn.PutEvent(p))
		fn.Ask(func() []scene.Found {
			if p.Call.Deferred() {
				return slices.Concat(late.Deferred(fn, p), outlive.Escapes(fn, p))
			}
			return slices.Concat(late.After(fn, p), outlive.Escapes(fn, p))
		})
		fn.Ask(late.Viewed(fn, p)...)
	}
}
