package infer

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// call notes what a call does with parameters.
func (l *learner) call(instr ssa.CallInstruction) {
	c := l.p.Resolve(instr)
	if c.Builtin != "" {
		return
	}
	l.starts(&c)
	l.reflected(&c)
	l.runs = append(l.runs, l.runningFrom(&c)...)
	for r := range c.Summary.Getter.Members() {
		if v := c.Result(r); v != nil {
			l.gets[v] = true
		}
	}
	s := c.Summary
	unknown := c.Fn == nil && c.Lit == nil || c.Invoke && s.Release|s.MustPut == 0
	for i, arg := range c.Args {
		if !ssax.HasPointers(arg.Type()) {
			continue
		}
		if i >= c.Captures {
			l.capturedEffect(&c, i, arg)
			continue
		}
		bit := summary.Bit(i)
		into := summary.With(s.Into, i)
		if !unknown && !c.Started() && !s.Takes(i) && len(into) == 0 {
			continue
		}
		switch {
		case s.Gives(i) || (s.MayPut|s.RefPut)&bit != 0:
			l.s.MayEmpty |= l.lists(arg)
		case s.MayEmpty&bit != 0:
			l.s.MayEmpty |= l.whollyOrPart(arg)
		}
		if s.Collects&bit != 0 {
			l.s.Collects |= l.whollyOrPart(arg)
		}
		if (s.Retains|s.Keeps)&bit != 0 {
			l.s.Collects |= l.lists(arg)
		}
		switch {
		case c.Started():
			l.keep(arg)
		case s.Gives(i) || s.MayPut&bit != 0:
			l.end(arg, instr)
		case (s.Retains|s.Keeps)&bit != 0:
			l.keep(arg)
		}
		if s.Gives(i) {
			l.give(arg, instr)
		}
		for _, f := range into {
			if f.To < c.Captures {
				l.keepUnlessLocal(arg, c.Args[f.To])
			}
		}
		for _, p := range l.params(arg) {
			l.argument(&c, i, arg, p, unknown)
			for _, f := range into {
				if f.To < len(c.Args) {
					p.May = p.May || !f.From.Has(i)
					l.storedIn(p, c.Args[f.To], instr)
				}
			}
		}
	}
}

// keptInOwn reports whether a callee keeps argument i in a struct that this function made:
// what becomes of the struct tells how long it is kept.
func keptInOwn(p *flow.Program, f *ssa.Function, c *flow.Call, i int) bool {
	own := false
	for _, into := range summary.With(c.Summary.Into, i) {
		if into.To >= c.Captures {
			return false
		}
		place, ok := p.Place(c.Args[into.To])
		alloc, isVar := place.Base.(*ssa.Alloc)
		if !ok || !isVar || alloc.Parent() != f {
			return false
		}
		own = true
	}
	return own
}

// argument notes what a call does with argument i, which comes from p.
func (l *learner) argument(c *flow.Call, i int, arg ssa.Value, p param, unknown bool) {
	bit, s := summary.Bit(i), c.Summary
	own := summary.Bit(p.index)
	if c.Started() {
		l.s.Retains |= own // what the goroutine puts, it puts later
		return
	}
	if s.Retains&bit != 0 {
		l.s.Retains |= own
	}
	if s.Keeps&bit != 0 && !p.May && p.Field == flow.None && !keptInOwn(l.p, l.f, c, i) {
		if _, isCall := c.Instr.(*ssa.Call); isCall {
			l.keeps = append(l.keeps, keep{p.index, c.Instr})
		}
	}
	if s.Borrows&bit != 0 {
		return
	}
	switch {
	case p.Holds && c.IsPoolPut() && !p.May && isFreshBox(l.function, p, arg):
		l.puts[p.index] = append(l.puts[p.index], put{c.Instr, true, flow.Counted(l.p, c.Instr)})
		return
	case p.Holds:
		if s.Gives(i) || s.MayPut&bit != 0 {
			l.s.Retains |= own // it is put inside of something else
		}
		return
	case isInner(ssax.Strip(arg)): // a field goes into the pool, and not the struct around it
	case s.Gives(i):
		l.puts[p.index] = append(l.puts[p.index], put{c.Instr, !p.May && p.Field == flow.None, flow.Counted(l.p, c.Instr)})
	case s.MayPut&bit != 0:
		l.puts[p.index] = append(l.puts[p.index], put{c.Instr, false, flow.Counted(l.p, c.Instr)})
	}
	if s.RefPut&bit != 0 {
		l.s.RefPut |= own
	}
	lent := p.Field == flow.None && !p.May && !isInner(arg)
	if s.Lends&bit != 0 && lent {
		l.s.Lends |= own
	}
	if unknown && lent && (!c.Invoke && !c.Borrows(l.p, i) || c.Invoke && i > 0 && !ssax.Standard(c.Fn)) {
		if f, isParam := l.index(c.Instr.Common().Value); isParam && f < len(l.f.Params) && p.index < len(l.f.Params) {
			l.s.Passes = append(l.s.Passes, summary.Passed{Param: p.index, Func: f, Arg: i})
		} else {
			l.s.Lends |= own
		}
	}
}

// isInner reports whether an argument is the address of a field, or an array in one: memory of
// the struct, which no code takes the struct over by.
func isInner(arg ssa.Value) bool {
	if s, ok := arg.(*ssa.Slice); ok {
		arg = s.X
	}
	_, ok := arg.(*ssa.FieldAddr)
	return ok
}

// capturedEffect notes what a called or deferred literal does with a variable
// that it captures: addr is its address.
func (l *learner) capturedEffect(c *flow.Call, i int, addr ssa.Value) {
	s := c.Summary
	if !s.Takes(i) && !c.Started() {
		return
	}
	if alloc, ok := addr.(*ssa.Alloc); ok && (s.Gives(i) || s.MayPut.Has(i) && !c.Deferred()) {
		for _, store := range l.p.Stores(alloc).Whole {
			l.end(store.Val, c.Instr) // what a deferred literal puts on some paths, it hands out on the others
		}
	}
	for _, p := range l.contents(addr) {
		l.argument(c, i, addr, p, false)
	}
}
