package alias

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// call follows an argument into the results of a call, and into its other
// arguments.
func (a spreader) call(ref ssa.CallInstruction, v ssa.Value, info *Alias) {
	c := a.p.Resolve(ref)
	result, isCall := ref.(*ssa.Call)
	switch c.Builtin {
	case "append":
		if !isCall {
			return
		}
		if c.Args[0] == v {
			a.derive(result, v, info)
		}
		if len(c.Args) > 1 && c.Args[1] == v && info.Holder && ssax.ElemHasPointers(c.Args[0].Type()) {
			next := a.hold(result, v, info)
			next.Args = false
		}
		return
	case "String", "StringData", "Slice", "SliceData", "Add":
		if isCall && c.Args[0] == v && !info.Holder {
			next := a.derive(result, v, info)
			next.Reach = max(next.Reach, events.Memory)
		}
		return
	case "":
	default:
		return
	}
	if isCall && result.Call.Value == v {
		a.called(&c, v)
	}
	for i, arg := range c.Args {
		if arg != v || i >= c.Captures {
			continue
		}
		if isCall {
			a.results(&c, i, v, info, v.Type())
		}
		for _, into := range summary.With(c.Summary.Into, i) {
			if into.To >= len(c.Args) || into.To == i || c.Summary.Owns.Has(i) {
				continue // what takes it over uses it as its owner
			}
			target := ssax.Strip(c.Args[into.To])
			if local(target) {
				next := a.hold(target, v, info)
				next.never = next.never || !into.From.Has(i)
			}
		}
	}
}

// called follows a variable that a literal captures into the results of a call
// of it.
func (a spreader) called(c *flow.Call, literal ssa.Value) {
	for i := c.Captures; i < len(c.Args); i++ {
		alloc, ok := c.Args[i].(*ssa.Alloc)
		if !ok {
			continue
		}
		if info := a.places[memory.Var{Base: alloc}]; info != nil {
			a.results(c, i, literal, info, ssax.Pointee(alloc.Type()))
		}
	}
}

// results follows argument i, which is of type t, into the results of a call.
func (a spreader) results(c *flow.Call, i int, v ssa.Value, info *Alias, t types.Type) {
	if c.Summary.Borrows.Has(i) {
		return
	}
	for _, flow := range summary.With(c.Summary.Returns, i) {
		r := c.Result(flow.To)
		if r == nil || !ssax.HasPointers(r.Type()) || ssax.IsError(r.Type()) {
			continue
		}
		var next *Alias
		if flow.Holds.Has(i) {
			next = a.hold(r, v, info)
			next.Args = false // what was an argument is in the result
		} else {
			next = a.derive(r, v, info)
			switch {
			case info.Holder:
			case ssax.IsBuffer(t) || ssax.IsSlice(t):
				next.Reach = max(next.Reach, events.Memory)
			case !types.Identical(r.Type(), t):
				next.Reach = max(next.Reach, events.Field)
			}
		}
		if !flow.From.Has(i) && len(next.sources) == 1 {
			next.never = true
		}
	}
}
