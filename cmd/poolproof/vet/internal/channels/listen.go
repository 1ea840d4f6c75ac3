package channels

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// listener learns what one function does with channels.
type listener struct {
	*track.Code
	chans *Channels
}

// Listen learns who receives from which channel.
func Listen(funcs []*track.Code) *Channels {
	chans := &Channels{receivers: make(map[any][]receiver), links: make(map[any][]any), open: make(map[any]bool)}
	for _, code := range funcs {
		fn := listener{code, chans}
		for instr := range ssax.Instrs(code.F) {
			fn.use(instr)
		}
	}
	return chans
}

// use notes what an instruction does with channels.
func (fn listener) use(instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		if instr.Op == token.ARROW {
			fn.receives(instr, instr.X, received(instr), nil)
		}
	case *ssa.Select:
		n := 2
		for _, s := range instr.States {
			if s.Dir == types.RecvOnly {
				fn.receives(instr, s.Chan, ssax.Extracted(instr, n), s)
				n++
			}
		}
	case ssa.CallInstruction:
		c := fn.Program.Resolve(instr)
		for i, arg := range c.Args {
			key := Key(fn.Program, arg)
			switch {
			case c.Builtin != "" || i >= c.Captures:
			case c.Lit != nil && i < len(c.Lit.Params):
				fn.chans.links[key] = append(fn.chans.links[key], inParameter{c.Lit, i})
			default:
				fn.chans.open[key] = true
			}
		}
	case *ssa.Return:
		for _, r := range instr.Results {
			fn.chans.open[Key(fn.Program, r)] = true
		}
	case *ssa.Store:
		fn.storesChannel(instr)
	case *ssa.MakeInterface:
		fn.chans.open[Key(fn.Program, instr.X)] = true
	}
}

// storesChannel notes a channel that is kept under another name.
func (fn listener) storesChannel(s *ssa.Store) {
	if ssax.Is[*ssa.Alloc](s.Addr) {
		return // a local name of it
	}
	key := Key(fn.Program, s.Val)
	if field := ssax.FieldVar(s.Addr); field != nil && !ssax.Is[*ssa.MakeChan](s.Val) && !ssax.IsNil(s.Val) {
		fn.chans.open[field] = true // it came from elsewhere
	}
	fn.chans.open[key] = true
}

// received returns the value that is received, nil if it is dropped.
func received(recv *ssa.UnOp) ssa.Value {
	if !recv.CommaOk {
		return recv
	}
	return ssax.Extracted(recv, 0)
}
