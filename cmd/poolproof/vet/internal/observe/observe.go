// Package observe turns functions into events: what happens to each pooled object on the
// paths of its function. It asks the questions of the packages below it, one after the
// other; what an event means is for the checks to say.
package observe

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/observe/fit"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/observe/late"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/observe/lost"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/observe/outlive"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// Function adds the events of f.
func Function(o *scene.Package, f *ssa.Function) {
	fn := scene.New(o, f)
	if !fn.Concerned() {
		return
	}
	fn.Out = o.NewFunc(f)
	observe(fn)
	fn.Done()
}

// observe makes an object of each get, and of each put whose object the function
// got otherwise.
func observe(fn *scene.Function) {
	step := func(f func()) {
		fn.Walker.Budget = fn.Budget
		f()
	}
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
		if !p.Certain || p.Counted || p.Call.Started() || !scene.Refers(fn.ObjectOf(p).Type) {
			continue // what a goroutine puts at its end is lent to it until then
		}
		step(func() {
			switch {
			case p.Told != nil:
				late.After(fn, p)
				return // the rest holds of what is put on every path
			case p.Call.Deferred():
				late.Deferred(fn, p)
			default:
				late.After(fn, p)
				late.AfterMerged(fn, p)
			}
			outlive.Escapes(fn, p)
			fit.Growth(fn, p)
			fit.Field(fn, p)
			fit.Refs(fn, p)
			fit.Foreign(fn, p)
		})
	}
	afterFields(fn, step)
	late.AfterOwners(fn, step)
	late.AfterLists(fn, step)
	late.AfterHandOvers(fn, step)
	for _, g := range fn.Gets {
		step(func() { lost.Leaks(fn, g) })
		fit.Stale(fn, g)
	}
	lost.LeakingHolders(fn, step)
	outlive.Lent(fn)
}

// afterFields finds what happens to what fields held after callees have put it.
func afterFields(fn *scene.Function, step func(func())) {
	for i := range fn.InFields {
		p := &fn.InFields[i]
		obj := &events.Object{Func: fn.Out, Name: fn.PlaceName(p.Place), Custom: p.Call.Lit == nil}
		fn.Out.Objects = append(fn.Out.Objects, obj)
		p.Object = obj
		obj.Puts = append(obj.Puts, fn.PutEvent(p))
		step(func() {
			if p.Call.Deferred() {
				late.Deferred(fn, p)
			} else {
				late.After(fn, p)
			}
			outlive.Escapes(fn, p)
		})
		late.Viewed(fn, p, step)
	}
}
