package infer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// running is an instruction from which on a goroutine uses parameters.
type running struct {
	instr   ssa.Instruction
	params  summary.Mask
	signals bool
	told    ssa.Value // of a call: the result that tells whether one was started, nil if none does
	yes     bool

	sent  bool             // it is sent to who receives it from a channel
	state *ssa.SelectState // of a select: the case that sends
}

// runningFrom returns the goroutines that a call or a go statement starts, if they use
// what parameters refer to.
func (l *function) runningFrom(c *flow.Call) (runs []running) {
	if c.Deferred() {
		return nil
	}
	if !c.Started() {
		for _, g := range c.Summary.Lingers {
			if g.Param >= c.Captures || g.Param >= len(c.Args) {
				continue
			}
			r := running{instr: c.Instr, params: l.wholes(c.Args[g.Param]), signals: g.Signals, yes: g.Value, sent: g.Sent}
			if g.Result >= 0 {
				r.told = c.Result(g.Result)
			}
			runs = append(runs, r)
		}
		for _, made := range started(c) {
			lit := l.p.Closure(c.Instr, made)
			runs = append(runs, l.runningIn(&lit))
		}
		return runs
	}
	return append(runs, l.runningIn(c))
}

// started returns the literals that a callee gets and runs in goroutines, if no result that is
// used tells whether it does.
func started(c *flow.Call) (literals []*ssa.MakeClosure) {
	if c.Fn != nil {
		for i := range c.Fn.Signature().Results().Len() {
			if v := c.Result(i); v != nil && len(*v.Referrers()) > 0 && tells(v.Type()) {
				return nil
			}
		}
	}
	for i, arg := range c.Args[:c.Captures] {
		if made, ok := ssax.Strip(arg).(*ssa.MakeClosure); ok && c.Summary.Starts.Has(i) {
			literals = append(literals, made)
		}
	}
	return literals
}

// runningIn returns what a goroutine uses that runs a call.
func (l *function) runningIn(c *flow.Call) running {
	r := running{instr: c.Instr, signals: signals(l, c)}
	s := c.Summary
	for i, arg := range c.Args {
		if s.Gives(i) || (s.MayPut | s.RefPut).Has(i) || !ssax.HasPointers(arg.Type()) {
			continue // what it puts is its own by then
		}
		if i < c.Captures {
			r.params |= l.wholes(arg)
		} else if c.Lit != nil && usesCaptured(c.Lit, i-c.Captures) {
			if alloc, ok := arg.(*ssa.Alloc); !ok || len(l.p.Stores(alloc).Whole) == 1 {
				for _, p := range l.contents(arg) {
					r.params |= whole(p)
				}
			}
		}
	}
	return r
}

// runningAfter returns what may use the parameters that are sent to a channel, or are in
// what is sent: the receiver, for as long as the sender does not wait.
func (l *function) runningAfter(instr ssa.Instruction, s ssax.Sent) running {
	r := running{instr: instr, signals: true, sent: true, state: s.State}
	for _, p := range l.params(s.Value) {
		if !p.May && p.Field == flow.None && p.index < len(l.f.Params) {
			r.params |= summary.Bit(p.index)
		}
	}
	return r
}

// usesCaptured reports whether a literal does something with what a captured
// variable refers to: more than to compare it.
func usesCaptured(lit *ssa.Function, i int) bool {
	if i >= len(lit.FreeVars) {
		return false
	}
	return slices.ContainsFunc(*lit.FreeVars[i].Referrers(), func(ref ssa.Instruction) bool {
		load, ok := ref.(*ssa.UnOp)
		return ok && ssax.Load(load) != nil && !ssax.OnlyCompared(load)
	})
}

// signals reports whether a goroutine may tell others than the function that it
// has ended: it sends to a channel, closes one, or counts down what others wait
// for. A channel that the function has made for itself alone is none.
func signals(l *function, c *flow.Call) bool {
	if c.Lit == nil {
		return true
	}
	own := func(ch ssa.Value) bool {
		load := ssax.Load(ch)
		if load == nil {
			return false
		}
		captured, ok := load.X.(*ssa.FreeVar)
		i := slices.Index(c.Lit.FreeVars, captured)
		if !ok || i < 0 || c.Captures+i >= len(c.Args) {
			return false
		}
		alloc, ok := c.Args[c.Captures+i].(*ssa.Alloc)
		return ok && private(l, alloc)
	}
	for instr := range ssax.Instrs(c.Lit) {
		switch instr := instr.(type) {
		case *ssa.Send, *ssa.Select:
			for s := range ssax.Sends(instr) {
				if !own(s.Chan) {
					return true
				}
			}
		case ssa.CallInstruction:
			inner := l.p.Resolve(instr)
			switch {
			case inner.Builtin == "close" && !own(inner.Args[0]):
				return true
			case names.IsSignal(inner.Name()):
				return true
			case inner.Fn == nil && inner.Lit == nil && inner.Builtin == "":
				return true // a function value: who knows
			}
		}
	}
	return false
}

// private reports whether a variable holds a channel that the function has made
// and that only it and its literals can see.
func private(l *function, alloc *ssa.Alloc) bool {
	stores := l.p.Stores(alloc).Whole
	if len(stores) != 1 || alloc.Parent() != l.f {
		return false
	}
	made, ok := stores[0].Val.(*ssa.MakeChan)
	if !ok {
		return false
	}
	kept := ssax.Only(made, func(use ssa.Instruction) bool {
		s, ok := use.(*ssa.Store)
		return ok && s.Addr == alloc
	})
	return kept && ssax.Only(alloc, func(use ssa.Instruction) bool {
		load, ok := use.(*ssa.UnOp)
		return !ok || !slices.ContainsFunc(*load.Referrers(), func(use ssa.Instruction) bool {
			switch use := use.(type) {
			case *ssa.Return, *ssa.Store, *ssa.MapUpdate:
				return true
			case ssa.CallInstruction:
				return !ssax.Is[*ssa.Builtin](use.Common().Value)
			}
			return false
		})
	})
}

// lingers learns which parameters goroutines may use when the function has
// returned.
func (l *learner) lingers() {
	for _, r := range l.runs {
		r.params &^= l.s.Borrows
		if r.params == 0 || l.s.Gives(0) && r.params == summary.Bit(0) {
			continue
		}
		v := &unjoined{l: l, start: r.instr, sent: r.state}
		if whole := l.walker.FromWith(r.instr, new(paths.State).Told(l.p, r.told, r.yes), v); !whole || len(v.returns) == 0 {
			continue
		}
		result, yes := tellsStart(l.p, l.f.Signature.Results(), v.returns)
		for i := range l.f.Params {
			if r.params.Has(i) && !l.s.MayPut.Has(i) {
				l.s.AddLingering(summary.Lingering{Param: i, Result: result, Value: yes, Signals: r.signals, Sent: r.sent})
			}
		}
	}
}

// tellsStart returns the result that is the same constant at all of the returns: a
// bool.
func tellsStart(p *flow.Program, results *types.Tuple, returns []*ssa.Return) (result int, yes bool) {
	for r := range min(results.Len(), 64) {
		if !ssax.IsBool(results.At(r).Type()) {
			continue
		}
		var seen sides
		for _, ret := range returns {
			seen.see(p.Stored(ret.Results[r]))
		}
		if seen.one() {
			return r, seen.yes
		}
	}
	return -1, false
}

// unjoined is a visitor that collects the returns before which nobody waits for a
// goroutine.
type unjoined struct {
	paths.Everywhere
	l       *learner
	start   ssa.Instruction
	sent    *ssa.SelectState // the case of the select with which it starts
	returns []*ssa.Return
}

// Visit stops at a return, and where the function waits for anything.
func (v *unjoined) Visit(instr ssa.Instruction, _ *paths.State) bool {
	if instr == v.start {
		return false // the loop's next round
	}
	switch instr := instr.(type) {
	case *ssa.Return:
		if instr.Block() != v.l.f.Recover {
			v.returns = append(v.returns, instr)
		}
		return false
	case *ssa.RunDefers:
		return !waitsAtEnd(v.l.function)
	case *ssa.UnOp:
		return instr.Op != token.ARROW
	case ssa.CallInstruction:
		c := v.l.p.Resolve(instr)
		return c.Deferred() || !names.IsJoin(c.Name())
	}
	return true
}

// waitsAtEnd reports whether a deferred call may wait.
func waitsAtEnd(l *function) bool {
	return flow.Any(l.p.Calls(l.f), func(c *flow.Call) bool { return c.Deferred() && c.Waits(l.p) })
}

// Branch takes all edges but those of a select that says that something was
// received, unless that is only that time is up or that all are to stop.
func (v *unjoined) Branch(cond *ssa.If, taken bool, _ *paths.State) bool {
	state := ssax.Chosen(cond.Cond)
	if v.sent != nil && state != nil && ssax.Choosing(cond.Cond) == v.start {
		return taken == (state == v.sent)
	}
	return !taken || state == nil || state.Dir != types.RecvOnly || ssax.Clock(state.Chan) != ""
}

// starts learns which parameters are functions that run in a goroutine: go f(),
// go func() { f() }(), or passed to a function that does so.
func (l *learner) starts(c *flow.Call) {
	if !c.Started() {
		for i, arg := range c.Args {
			if i < c.Captures && c.Summary.Starts.Has(i) {
				l.s.Starts |= functions(l.function, arg)
			}
		}
		return
	}
	l.s.Starts |= functions(l.function, c.Instr.Common().Value)
	if c.Lit == nil {
		return
	}
	for call := range ssax.Of[ssa.CallInstruction](c.Lit) {
		if !call.Common().IsInvoke() {
			l.s.Starts |= functions(l.function, call.Common().Value)
		}
	}
}

// functions returns the parameters that a function value is.
func functions(l *function, v ssa.Value) summary.Mask {
	if _, ok := v.Type().Underlying().(*types.Signature); !ok {
		return 0
	}
	if ssax.Load(v) != nil {
		v = l.p.Only(v)
	}
	prm, _ := v.(*ssa.Parameter)
	return summary.Bit(slices.Index(l.f.Params, prm)) // none of -1
}
