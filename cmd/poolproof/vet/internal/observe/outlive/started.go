package outlive

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// startedBy is started for a callee that runs a function value in a goroutine.
func startedBy(fn *scene.Function, al *alias.Set, instr *ssa.Call) (events.How, ssa.Value) {
	c := fn.Program.Resolve(instr)
	for i, arg := range c.Args {
		if i >= c.Captures || !c.Summary.Starts.Has(i) {
			continue
		}
		if made, ok := arg.(*ssa.MakeClosure); ok {
			return startedCall(fn, al, instr, fn.Program.Closure(instr, made))
		}
	}
	return events.Plain, nil
}

// started reports whether a go statement gives the object to a goroutine that
// uses it.
func started(fn *scene.Function, al *alias.Set, instr *ssa.Go) (events.How, ssa.Value) {
	return startedCall(fn, al, instr, fn.Program.Resolve(instr))
}

func startedCall(fn *scene.Function, al *alias.Set, instr ssa.Instruction, c flow.Call) (events.How, ssa.Value) {
	w := &track.Follower{Table: fn.Table, Al: al, Start: instr, Place: placeOf(fn, al)}
	view := w.View(&paths.State{})
	if al.Root == nil && view.Effects(&c).Kind != 0 {
		return events.Started, nil
	}
	for i, arg := range c.Args {
		if i < c.Captures {
			if info := al.Of(arg); info != nil && !info.Args && !c.Summary.Gives(i) && !c.Summary.MayPut.Has(i) {
				return events.Started, arg
			}
			continue
		}
		alloc, ok := arg.(*ssa.Alloc)
		if !ok || c.Lit == nil || c.Summary.MayPut.Has(i) || c.Summary.RefPut.Has(i) || !w.Held(memory.Var{Base: alloc}, &paths.State{}) {
			continue
		}
		if t := view.Inside(c.Lit, alloc); t.Kind == events.Use {
			return events.Started, t.Value
		}
	}
	return events.Plain, nil
}

// placeOf returns the place of an object that is known by its place alone.
func placeOf(fn *scene.Function, al *alias.Set) memory.Var {
	for i := range fn.InFields {
		if p := &fn.InFields[i]; al.Root == nil && al.Holds(p.Place) {
			return p.Place
		}
	}
	return memory.Var{}
}

// lingering returns the alias that a call passes to a callee which starts a
// goroutine with it and does not wait for that, nil if there is none.
func lingering(fn *track.Code, al *alias.Set, instr ssa.Instruction) (summary.Lingering, ssa.Value) {
	call, ok := instr.(*ssa.Call)
	if !ok {
		return summary.Lingering{}, nil
	}
	c := fn.Program.Resolve(call)
	if len(c.Summary.Lingers) == 0 {
		return summary.Lingering{}, nil
	}
	for i, arg := range c.Args {
		info := al.Of(arg)
		if info == nil || info.Holder || info.Args || i >= c.Captures || c.Summary.Borrows.Has(i) {
			continue
		}
		if i == 0 && flow.IsMethod(&c) {
			continue // what has goroutines of its own knows when they end
		}
		if g, ok := c.Summary.Lingering(i); ok {
			return g, arg
		}
	}
	return summary.Lingering{}, nil
}

// requested returns the request, or the body of one, with which a call of package net/http begins what
// its transport may end in a goroutine of its own: "the Body may be closed asynchronously after Do
// returns". It is nil if the object is in neither, or if code of the program's own closes the body.
func requested(fn *track.Code, al *alias.Set, instr *ssa.Call) ssa.Value {
	c := fn.Program.Resolve(instr)
	i := 1
	switch {
	case c.Fn == nil:
		return nil
	case c.Fn.FullName() == "(*net/http.Client).Post":
		i = 3
	case c.Fn.FullName() == "net/http.Post":
		i = 2
	case c.Fn.FullName() != "(*net/http.Client).Do" && c.Fn.FullName() != "(net/http.RoundTripper).RoundTrip" && c.Fn.FullName() != "(*net/http.Transport).RoundTrip":
		return nil
	}
	ownClose := func(v ssa.Value) bool {
		close, _, _ := types.LookupFieldOrMethod(v.Type(), true, nil, "Close")
		m, ok := close.(*types.Func)
		return ok && !types.IsInterface(v.Type()) && (m.Pkg() == fn.F.Pkg.Pkg || !ssax.Standard(m))
	}
	if al.Of(c.Args[i]) == nil || slices.ContainsFunc(al.Values(), ownClose) {
		return nil
	}
	return c.Args[i]
}

// startsElsewhere reports whether it is a callee that has started the goroutine:
// somebody may have waited for it in a way that is not seen from here.
func startsElsewhere(fn *track.Code, instr ssa.Instruction, al *alias.Set) bool {
	_, v := lingering(fn, al, instr)
	return v != nil
}

// fromStart walks from an instruction that lets an object out. If that is a call
// with a result that tells whether it did, only the paths on which it did count.
func fromStart(fn *track.Code, instr ssa.Instruction, al *alias.Set, v paths.Visitor) {
	g, passed := lingering(fn, al, instr)
	if passed == nil || g.Result < 0 {
		fn.Walker.From(instr, v)
		return
	}
	c := fn.Program.Resolve(instr.(*ssa.Call))
	fn.Walker.FromWith(instr, new(paths.State).Told(fn.Program, c.Result(g.Result), g.Value), v)
}
