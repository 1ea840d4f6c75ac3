package flow

import (
	"go/token"
	"go/types"
	"iter"
	"math/bits"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// Resolve returns what is known of a call.
func (p *Program) Resolve(instr ssa.CallInstruction) Call {
	c, known := p.calls[instr]
	if !known {
		c = resolve(instr, p)
		p.calls[instr] = c
	}
	return c
}

func resolve(instr ssa.CallInstruction, p *Program) Call {
	c := instr.Common()
	call := Call{Instr: instr, Args: c.Args, Captures: len(c.Args), Summary: nothing}
	if c.IsInvoke() {
		call.Fn, call.Invoke = c.Method, true
		call.Args = append([]ssa.Value{c.Value}, c.Args...)
		call.Captures = len(call.Args)
		if s := p.fact(c.Method.Origin()); s != nil && !s.Zero() {
			call.Summary = s // of a directive
		} else if s := p.Methods.shapeOf(c.Method); s != nil {
			call.Summary, call.Custom = s, true
		} else if s := p.Methods.implemented(c.Method.Origin()); s != nil {
			call.Summary = s
		}
		return call
	}
	if b, ok := c.Value.(*ssa.Builtin); ok {
		call.Builtin = b.Name()
		return call
	}
	fn, bindings := p.function(c.Value, 0)
	if fn == nil {
		if object := p.leased(c.Value); object != nil {
			call.Args = append([]ssa.Value{object}, c.Args...)
			call.Captures, call.Summary = len(call.Args), endsLease
		}
		return call
	}
	if obj, ok := fn.Object().(*types.Func); ok {
		call.Fn = obj.Origin()
		if len(bindings) > 0 { // a method value: x.Put
			call.Args = append([]ssa.Value{bindings[0]}, c.Args...)
			bindings = nil
		}
		call.Captures = len(call.Args)
	}
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	if call.Fn != nil {
		if own := p.named[call.Fn]; own != nil {
			fn = own
		}
	}
	if s, ok := p.own[fn]; ok {
		call.Lit, call.Summary = fn, s
		if len(bindings) > 0 {
			call.Args = append(append([]ssa.Value(nil), c.Args...), bindings...)
			call.Captures = len(c.Args)
		}
	} else if call.Fn != nil {
		if s := p.fact(call.Fn); s != nil {
			call.Summary = s
		}
	}
	call.pass(p)
	if call.Fn != nil && (call.Summary.MustPut|call.Summary.Release|call.Summary.Getter|call.Summary.Owns|call.Summary.Retains) == 0 && len(call.Summary.Told) == 0 {
		if s := p.Methods.shapeOf(call.Fn); s != nil {
			call.Summary, call.Custom = s, true
		}
	}
	return call
}

// pass adds to the summary of a call the arguments that the callee passes to a function which
// it is given: one that does nothing lasting with them borrows them, any other, and one that
// is not known, may do everything.
func (c *Call) pass(p *Program) {
	var lent summary.Mask
	for _, passed := range c.Summary.Passes {
		if passed.Func >= c.Captures {
			continue
		}
		if fn, bindings := p.function(c.Args[passed.Func], 0); fn != nil {
			s, own := p.known(fn)
			i := passed.Arg
			if !own {
				i += len(bindings) // a method value: the receiver comes first
			}
			if s == nil || !s.Takes(i) {
				continue
			}
		}
		lent |= summary.Bit(passed.Param)
	}
	if lent != 0 {
		s := *c.Summary
		s.Lends |= lent
		c.Summary = &s
	}
}

// known returns what is known of a function, nil if nothing is, and whether it is of the package.
func (p *Program) known(fn *ssa.Function) (s *summary.Summary, own bool) {
	if s, own = p.own[fn]; own {
		return s, true
	}
	if obj, ok := fn.Object().(*types.Func); ok {
		s = p.fact(obj.Origin())
	}
	return s, false
}

// Borrows reports whether a function value only borrows argument i: it is one of some functions,
// and none of them takes that over, keeps it, or passes it on to code that is not known.
func (c *Call) Borrows(p *Program, i int) bool {
	fns := candidates(p, c.Instr.Common().Value)
	for _, fn := range fns {
		s, own := p.known(fn)
		if s == nil && !own && fn.Pkg == nil || s != nil && s.Takes(i) {
			return false
		}
	}
	return len(fns) > 0
}

// Closure returns the call of a literal, or of a method value, that somebody else
// makes: instr passes it on.
func (p *Program) Closure(instr ssa.CallInstruction, made *ssa.MakeClosure) Call {
	fn := made.Fn.(*ssa.Function)
	call := Call{Instr: instr, Args: made.Bindings, Summary: nothing}
	if obj, ok := fn.Object().(*types.Func); ok { // a method value: x.Flush
		call.Fn, call.Captures = obj.Origin(), len(made.Bindings)
		if s := p.fact(call.Fn); s != nil {
			call.Summary = s
		}
		return call
	}
	if s, ok := p.own[fn]; ok {
		call.Lit = fn
		if len(fn.Params) == 0 {
			call.Summary = s
		}
	}
	return call
}

// endsLease is the effect of a function that a getter returned beside the object.
var endsLease = &summary.Summary{MustPut: summary.Bit(0), Release: summary.Bit(0), MayPut: summary.Bit(0)}

// leased returns the object that a function value puts, which the getter of the
// object returned with it.
func (p *Program) leased(v ssa.Value) ssa.Value {
	if ssax.Load(v) != nil {
		v = p.Only(v)
	}
	e, ok := v.(*ssa.Extract)
	if !ok {
		return nil
	}
	getter, ok := e.Tuple.(*ssa.Call)
	if !ok {
		return nil
	}
	c := p.Resolve(getter)
	for _, lease := range c.Summary.Leases {
		if lease.To == e.Index && lease.From != 0 {
			return c.Result(bits.TrailingZeros64(uint64(lease.From)))
		}
	}
	return nil
}

// IsPool reports whether the call is (*sync.Pool).Get or Put.
func (c *Call) IsPool() bool { return c.Summary == poolGet || c.Summary == poolPut }

// IsPoolGet reports whether the call is (*sync.Pool).Get.
func (c *Call) IsPoolGet() bool { return c.Summary == poolGet }

// IsPoolPut reports whether the call is (*sync.Pool).Put.
func (c *Call) IsPoolPut() bool { return c.Summary == poolPut }

// Name returns how the source calls the callee.
func (c *Call) Name() string {
	switch {
	case c.Builtin != "":
		return c.Builtin
	case c.Fn != nil:
		return c.Fn.Name()
	case c.Lit != nil:
		return "the function literal"
	}
	return "a function value"
}

// Deferred reports whether the call is a defer statement.
func (c *Call) Deferred() bool {
	return ssax.Is[*ssa.Defer](c.Instr)
}

// Started reports whether the call is a go statement.
func (c *Call) Started() bool {
	return ssax.Is[*ssa.Go](c.Instr)
}

// Place returns the place at a path from argument i, unless that is a captured variable.
func (c *Call) Place(p *Program, i int, path string) (memory.Var, bool) {
	if i >= c.Captures {
		return memory.Var{}, false
	}
	return p.Inside(c.Args[i], path)
}

// Result returns result i of a call, nil if it is not used.
func (c *Call) Result(i int) ssa.Value {
	v, ok := c.Instr.(*ssa.Call)
	if !ok {
		return nil
	}
	if _, tuple := v.Type().(*types.Tuple); !tuple {
		if i == 0 {
			return v
		}
		return nil
	}
	return ssax.Extracted(v, i)
}

// Callees returns the functions of the package that f calls, or makes literals or
// method values of.
func (p *Program) Callees(f *ssa.Function) []*ssa.Function {
	var callees []*ssa.Function
	for instr := range ssax.Instrs(f) {
		switch instr := instr.(type) {
		case *ssa.MakeClosure:
			fn := instr.Fn.(*ssa.Function)
			if obj, ok := fn.Object().(*types.Func); ok && p.named[obj.Origin()] != nil {
				fn = p.named[obj.Origin()]
			}
			callees = append(callees, fn)
		case ssa.CallInstruction:
			c := p.Resolve(instr)
			if c.Lit != nil {
				callees = append(callees, c.Lit)
			}
			if c.Fn == nil && c.Lit == nil {
				callees = append(callees, candidates(p, instr.Common().Value)...)
			}
		}
	}
	return callees
}

// IsMethod reports whether a call is of a method.
func IsMethod(c *Call) bool { return c.Fn != nil && c.Fn.Signature().Recv() != nil }

// Calls returns the calls of a function, with those that it defers or starts, block by
// block and resolved. The block to which a recovered panic leads is left out: it only
// returns.
func (p *Program) Calls(f *ssa.Function) iter.Seq[Call] {
	return func(yield func(Call) bool) {
		for _, b := range f.Blocks {
			for _, instr := range b.Instrs {
				if call, ok := instr.(ssa.CallInstruction); ok && b != f.Recover && !yield(p.Resolve(call)) {
					return
				}
			}
		}
	}
}

// FamilyCalls returns the calls of a function and of the literals around and in it.
func (p *Program) FamilyCalls(f *ssa.Function) iter.Seq[Call] {
	return func(yield func(Call) bool) {
		for _, f := range p.Family(f) {
			for c := range p.Calls(f) {
				if !yield(c) {
					return
				}
			}
		}
	}
}

// Any reports whether one of some calls is of a kind.
func Any(calls iter.Seq[Call], is func(c *Call) bool) bool {
	for c := range calls {
		if is(&c) {
			return true
		}
	}
	return false
}

// AnyArg reports whether one of some calls has an argument of a kind, or captures a variable of it.
func AnyArg(calls iter.Seq[Call], is func(c *Call, i int, arg ssa.Value) bool) bool {
	for c := range calls {
		for i, arg := range c.Args {
			if is(&c, i, arg) {
				return true
			}
		}
	}
	return false
}

// Waits reports whether a call is of a function that is named as one that waits, or of a literal,
// or a deferred function, that calls such a function or receives.
func (c *Call) Waits(p *Program) bool {
	if names.IsJoin(c.Name()) {
		return true
	}
	if c.Lit == nil || c.Lit.Parent() == nil && !c.Deferred() {
		return false
	}
	for instr := range ssax.Instrs(c.Lit) {
		switch instr := instr.(type) {
		case *ssa.UnOp:
			if instr.Op == token.ARROW {
				return true
			}
		case *ssa.Select:
			return true
		case ssa.CallInstruction:
			if inner := p.Resolve(instr); names.IsJoin(inner.Name()) {
				return true
			}
		}
	}
	return false
}
