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
		if info.Each && len(c.Args) == 1 {
			for _, prm := range paramsOf(c.Args[0]) {
				a.part(prm, v, info)
			}
		}
	}
	for i, arg := range c.Args {
		if arg != v || i >= c.Captures {
			continue
		}
		if isCall {
			a.results(&c, i, v, info, v.Type())
		}
		for _, called := range c.Summary.Callbacks {
			if prms := paramsOf(c.Args[called.Param]); called.Of.Has(i) && called.Arg < len(prms) && !info.Holder {
				a.part(prms[called.Arg], v, info)
			}
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

// paramsOf returns the parameters of the literal or the function that a value is.
func paramsOf(v ssa.Value) []*ssa.Parameter {
	if made, ok := ssax.Strip(v).(*ssa.MakeClosure); ok {
		v = made.Fn
	}
	if f, ok := v.(*ssa.Function); ok {
		return f.Params
	}
	return nil
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
			next.Each = flow.Each.Has(i) && !info.Holder
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
		if _, told := c.Summary.Tells(i); told {
			next.never = true // it is returned where it was not put
		} else if !flow.From.Has(i) && len(next.sources) == 1 {
			if flow.Some.Has(i) && !next.Holder && !(asking{a.p, c, r}).about(v) {
				next.Reach = max(next.Reach, events.Field) // on a path of the callee of which the function does not ask
			} else {
				next.never = true
			}
		}
	}
}

// asking looks for conditions that tell on which path a callee has returned a result.
type asking struct {
	p      *flow.Program
	call   *flow.Call
	result ssa.Value
}

// about reports whether the function may know whether a callee returned memory of an argument: a
// condition asks for the length or the capacity of the argument or the result, where one of them
// begins, or for another result; or the argument has no length, so that nothing fits into it.
func (q asking) about(arg ssa.Value) bool {
	if s, ok := arg.(*ssa.Slice); ok && ssax.IsInt(s.High, 0) {
		return true
	}
	object, key := q.p.Origin(arg), q.p.KeyOf(arg).Text
	either := func(v ssa.Value) bool {
		v = q.p.Stored(v)
		origin := q.p.Origin(v)
		return v == q.result || v == arg || origin == object || origin == q.result || q.p.KeyOf(v).Text == key
	}
	for _, b := range q.call.Instr.Parent().Blocks {
		cond, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if ok && (q.measures(cond.Cond, either) || q.another(cond.Cond, 0)) {
			return true
		}
	}
	return false
}

// measures reports whether a condition asks how large a value is, or where its memory begins.
func (q asking) measures(cond ssa.Value, either func(ssa.Value) bool) bool {
	return ssax.Computed(cond, func(v ssa.Value) (is, goOn bool) {
		switch v := v.(type) {
		case *ssa.IndexAddr:
			return either(v.X), false
		case *ssa.Call:
			c := q.p.Resolve(v)
			return (c.Builtin == "len" || c.Builtin == "cap" || c.Builtin == "SliceData") && either(c.Args[0]), false
		case *ssa.Phi:
			return false, false
		}
		return false, true
	})
}

// another reports whether a condition asks for another result of the call than an error.
func (q asking) another(cond ssa.Value, depth int) bool {
	v := q.p.Stored(cond)
	if e, ok := v.(*ssa.Extract); ok {
		return e.Tuple == q.call.Instr.Value() && v != q.result && !ssax.IsError(e.Type())
	}
	instr, ok := v.(ssa.Instruction)
	if _, isCall := v.(*ssa.Call); !ok || isCall || depth > 6 {
		return false
	}
	for op := range ssax.Operands(instr) {
		if q.another(op, depth+1) {
			return true
		}
	}
	return false
}
