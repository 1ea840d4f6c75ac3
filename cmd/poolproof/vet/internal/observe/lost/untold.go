package lost

import (
	"go/constant"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// untold is a visitor that looks for ways without the object: back to where the next one is received,
// or to returns that say the same as others with it.
type untold struct {
	of      *keeper
	from    ssa.Instruction          // which receives the object
	chosen  *ssa.SelectState         // the case that receives it, if there are several
	leaving map[*ssa.BasicBlock]bool // where such ways begin
}

// left is noted of the block where a way without the object begins.
type left struct{ block *ssa.BasicBlock }

// Merge does nothing.
func (v *untold) Merge(*ssa.Phi, ssa.Value, *paths.State) {}

// Branch goes nowhere where the caller knows of the condition, where the function did already what it
// does once, or where only a put is left out.
func (v *untold) Branch(cond *ssa.If, taken bool, s *paths.State) bool {
	w := v.of
	if state := ssax.Chosen(cond.Cond); v.chosen != nil && state != nil && ssax.Choosing(cond.Cond) == v.from {
		return taken == (state == v.chosen)
	}
	succ, other := ssax.Edge(cond, taken)
	if w.reach[succ] || !w.reach[other] {
		return w.Branch(cond, taken, s)
	}
	known := knowing{w, false, false}
	if known.told(cond.Cond, 0) && v.from == nil || known.once || !w.Branch(cond, taken, s) {
		return false
	}
	if v.from != nil {
		for put := range w.puts {
			if slices.Contains(put.Block().Succs, succ) {
				return false
			}
		}
	}
	v.leaving[succ] = true
	return true
}

// Visit ends a path where the object ends, and at a return without.
func (v *untold) Visit(instr ssa.Instruction, s *paths.State) bool {
	w := v.of
	if v.leaving[instr.Block()] {
		s.Note(left{instr.Block()}, true)
	}
	if call, ok := instr.(ssa.CallInstruction); ok && w.named(call) || w.ends[instr] != goesOn || v.signals(instr) {
		return false
	}
	if instr == v.from {
		s.Noteds(func(what any, _ bool) {
			if from, ok := what.(left); ok {
				e := w.fn.Event(events.Exit, from.block.Instrs[0])
				e.How = events.NextReceived
				w.lost(e)
			}
		})
		return false
	}
	ret, ok := instr.(*ssa.Return)
	if ok && ret.Block() != w.fn.F.Recover && !v.mayFollow(ret, blockOf(v.from)) && (v.from != nil || v.tellsNothing(ret)) {
		w.lost(w.exit(ret, s))
	}
	return true
}

// mayFollow reports whether the object ends before a return on some path.
func (v *untold) mayFollow(ret *ssa.Return, from *ssa.BasicBlock) bool {
	for end := range v.of.ends {
		if end.Block() == ret.Block() || end.Block() != from && ssax.Passes(end.Block(), ret.Block(), from) {
			return true
		}
	}
	return false
}

// signals reports whether an instruction tells others by what is in the object that it may be theirs
// again: it sends or closes a channel of it, calls a function of it, or is done with a group of it.
func (v *untold) signals(instr ssa.Instruction) bool {
	inside := func(x ssa.Value) bool {
		if load := ssax.Load(ssax.Strip(x)); load != nil {
			x = load.X
		}
		field, ok := x.(*ssa.FieldAddr)
		return ok && v.of.al.Of(field.X) != nil
	}
	switch instr := instr.(type) {
	case *ssa.Send:
		return inside(instr.Chan)
	case ssa.CallInstruction:
		c := v.of.fn.Program.Resolve(instr)
		return c.Fn == nil && c.Builtin == "" && !c.Invoke && inside(instr.Common().Value) ||
			(c.Builtin == "close" || names.IsSignal(c.Name())) && len(c.Args) > 0 && inside(c.Args[0])
	}
	return false
}

// tellsNothing reports whether a return after a put returns the same as another one.
func (v *untold) tellsNothing(ret *ssa.Return) bool {
	return ssax.Any(ssax.Returns(v.of.fn.F), func(other *ssa.Return) bool {
		return other != ret && other.Block() != v.of.fn.F.Recover && v.afterPut(other) && v.saysAs(ret, other)
	})
}

// afterPut reports whether a return may follow a put.
func (v *untold) afterPut(ret *ssa.Return) bool {
	for put := range v.of.puts {
		if put.Block() == ret.Block() || ssax.Reaches(put.Block(), ret.Block()) {
			return true
		}
	}
	return false
}

// saysAs reports whether a caller cannot tell two returns apart by what they return. An error that may be
// nil says what another one says that may be.
func (v *untold) saysAs(a, b *ssa.Return) bool {
	p := v.of.fn.Program
	for i := range a.Results {
		x, y := p.Stored(a.Results[i]), p.Stored(b.Results[i])
		if ssax.IsError(x.Type()) && i == len(a.Results)-1 {
			fails, known := p.Fails(a)
			others, too := p.Fails(b)
			if too && (!known || fails != others) {
				return false
			}
			continue
		}
		c, isConst := x.(*ssa.Const)
		d, both := y.(*ssa.Const)
		switch {
		case isConst && both:
			if c.Value != nil && d.Value != nil && !constant.Compare(c.Value, token.EQL, d.Value) {
				return false
			}
		case isConst != both && !ssax.IsBool(x.Type()):
			return false // nil or something, no number or one
		}
	}
	return true
}

// knowing asks whether callers know what a condition says.
type knowing struct {
	of   *keeper
	some bool // whether a parameter is asked for
	once bool // whether the condition asks for what the function itself sets
}

// told reports whether a condition is about parameters alone.
func (k *knowing) told(v ssa.Value, depth int) bool { return k.about(v, depth) && k.some }

func (k *knowing) about(v ssa.Value, depth int) bool {
	if depth > 8 {
		return false
	}
	fn := k.of.fn
	switch v := v.(type) {
	case *ssa.Const:
		return true
	case *ssa.Parameter:
		if fn.F.Signature.Recv() != nil && v == fn.F.Params[0] {
			return false
		}
		k.some = true
		return true
	case *ssa.Call:
		c := fn.Program.Resolve(v)
		if names.IsCounting(c.Name()) {
			k.once = true
		}
		all := c.Builtin != ""
		for _, arg := range c.Args {
			all = k.about(arg, depth+1) && all
		}
		return all
	case *ssa.UnOp:
		if ssax.IsLoad(v) {
			place, ok := fn.Program.Place(v.X)
			k.once = k.once || ok && setsIn(fn, place)
		}
		return k.about(v.X, depth+1)
	case *ssa.FieldAddr:
		return k.about(v.X, depth+1)
	case *ssa.BinOp:
		x := k.about(v.X, depth+1)
		return k.about(v.Y, depth+1) && x
	}
	return false
}
