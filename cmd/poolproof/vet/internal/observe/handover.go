package observe

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// handOvers collects the sends to receivers that put what they get, and the
// goroutines that put what they are given without waiting for anything: from
// there on the object is theirs.
func (fn *function) handOvers() {
	for _, b := range fn.f.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Send:
				fn.handOver(instr, instr.Chan, instr.X, nil)
			case *ssa.Select:
				for _, s := range instr.States {
					if s.Send != nil {
						fn.handOver(instr, s.Chan, s.Send, s)
					}
				}
			}
		}
	}
	fn.failures()
	for _, p := range fn.puts {
		if p.certain && p.call.Started() && p.call.Lit != nil && !fn.blocks(p.call.Lit, 0) {
			p.at = p.call.Instr
			p.roots = fn.putRoots(&p)
			fn.handed = append(fn.handed, p)
		}
	}
}

func (fn *function) handOver(instr ssa.Instruction, ch, v ssa.Value, state *ssa.SelectState) {
	for _, path := range fn.Chans.given(channel(fn.Program, fn.f, ch)) {
		if root := fn.sent(v, path); root != nil {
			fn.handed = append(fn.handed, put{at: instr, arg: root, certain: true, roots: []ssa.Value{root}, chosen: state})
		}
	}
}

// sent returns the object at a path from what is sent, nil if it is not known.
func (fn *Code) sent(v ssa.Value, path string) ssa.Value {
	if path == "" {
		return fn.Program.Origin(v)
	}
	if load := ssax.Load(v); load != nil {
		v = load.X
	}
	alloc, ok := v.(*ssa.Alloc)
	if !ok {
		return nil
	}
	var found ssa.Value
	for _, s := range fn.Program.Stores(alloc).Part {
		if place, ok := fn.Program.Place(s.Addr); ok && place == (memory.Var{Base: alloc, Path: path}) {
			if found != nil {
				return nil
			}
			found = fn.Program.Origin(s.Val)
		}
	}
	return found
}

// blocks reports whether a function may wait for somebody: until then what it will
// put is only lent to it.
func (fn *Code) blocks(f *ssa.Function, depth int) bool {
	if depth > 3 {
		return true
	}
	for _, b := range f.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.UnOp:
				if instr.Op.String() == "<-" {
					return true
				}
			case *ssa.Select, *ssa.Send:
				return true
			case *ssa.Go:
			case ssa.CallInstruction:
				c := fn.Program.Resolve(instr)
				switch {
				case c.Builtin != "":
				case c.Lit != nil:
					if c.Lit != f && fn.blocks(c.Lit, depth+1) {
						return true
					}
				case c.Fn == nil || c.Invoke || names.IsJoin(c.Name()) || names.IsSleep(c.Name()):
					return true
				}
			}
		}
	}
	return false
}

// afterHandOvers finds uses after a hand-over.
func (fn *function) afterHandOvers(step func(func())) {
	for i := range fn.handed {
		p := &fn.handed[i]
		if !refers(fn.objectOf(p).Type) {
			continue
		}
		step(func() { fn.after(p) })
	}
}

// instr is the instruction with which the object is given away.
func (p *put) instr() ssa.Instruction {
	if p.at != nil {
		return p.at
	}
	return p.call.Instr
}

// handedEvent is the put by somebody else.
func (fn *function) handedEvent(p *put) events.Event {
	e := fn.event(events.Put, p.at)
	e.How = events.Handed
	return e
}

// failures collects the calls that put an argument if they return an error.
func (fn *function) failures() {
	for _, b := range fn.f.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			c := fn.Program.Resolve(call)
			if c.Summary.FailPut == 0 || c.Fn == nil {
				continue
			}
			err := c.Result(c.Fn.Signature().Results().Len() - 1)
			for i, arg := range c.Args {
				if err != nil && c.Summary.FailPut.Has(i) && i < c.Captures {
					root := fn.Program.Origin(arg)
					fn.handed = append(fn.handed, put{at: instr, arg: arg, certain: true, roots: []ssa.Value{root}, fails: err})
				}
			}
		}
	}
}

// failed is noted on a path on which a call has returned an error.
const failed = "failed"

// failing reports, where a condition asks for the error of the call that a walk
// began with, whether it is one on an edge.
func (w *follower) failing(cond *ssa.If, taken bool, s *paths.State) (fails, asked bool) {
	b, ok := cond.Cond.(*ssa.BinOp)
	if w.fails == nil || !ok || b.Op != token.EQL && b.Op != token.NEQ {
		return false, false
	}
	x, y := b.X, b.Y
	if ssax.IsNil(x) {
		x, y = y, x
	}
	if !ssax.IsNil(y) || w.Program.Stored(x) != w.fails && s.Resolve(x) != w.fails {
		return false, false
	}
	return (b.Op == token.NEQ) == taken, true
}
