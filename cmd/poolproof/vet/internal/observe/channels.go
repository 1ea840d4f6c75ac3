package observe

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// channels knows which channels of a package have receivers that put what they
// receive: who sends there gives the object up.
type channels struct {
	receivers map[any][]receiver
	links     map[any][]any // a channel that is passed to a function, and its parameter
	open      map[any]bool  // somebody who is not seen may receive
}

// receiver is one place where a channel is received from.
type receiver struct {
	puts []string // the paths from what is received to what is put on every path; "" is itself
}

// inParameter is a channel as a function knows it that gets it.
type inParameter struct {
	f     *ssa.Function
	index int
}

// channel returns what a channel value is known as: a field or a package variable
// that others cannot see, a parameter, or the instruction that makes it. Nil is
// not known.
func channel(p *flow.Program, f *ssa.Function, v ssa.Value) any {
	for range 8 {
		switch x := v.(type) {
		case *ssa.ChangeType:
			v = x.X
			continue
		case *ssa.MakeChan:
			return x
		case *ssa.Parameter:
			for i, prm := range f.Params {
				if prm == x {
					return inParameter{f, i}
				}
			}
		case *ssa.UnOp:
			if ssax.Load(x) == nil {
				return nil
			}
			if field := ssax.FieldVar(x.X); field != nil {
				if field.Exported() {
					return nil
				}
				return field
			}
			place, ok := p.Place(x.X)
			if !ok || place.Path != "" {
				return nil
			}
			switch base := place.Base.(type) {
			case *ssa.Global:
				if !token.IsExported(base.Name()) {
					return base
				}
			case *ssa.Alloc:
				if s := p.Stores(base); !s.Unknown && len(s.Whole) == 1 {
					v, f = s.Whole[0].Val, base.Parent()
					continue
				}
			}
		}
		return nil
	}
	return nil
}

// listener learns what one function does with channels.
type listener struct {
	*Code
	chans *channels
}

// Listen learns who receives from which channel. Budget is in steps, for each function.
func Listen(t *Table, funcs []*ssa.Function, budget int) *channels {
	chans := &channels{receivers: make(map[any][]receiver), links: make(map[any][]any), open: make(map[any]bool)}
	for _, f := range funcs {
		fn := listener{newCode(t, f, budget), chans}
		for _, b := range f.Blocks {
			for _, instr := range b.Instrs {
				fn.channelUse(instr)
			}
		}
	}
	return chans
}

// channelUse notes what an instruction does with channels.
func (fn listener) channelUse(instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		if instr.Op == token.ARROW {
			fn.receives(instr, instr.X, received(instr), nil)
		}
	case *ssa.Select:
		n := 2
		for _, s := range instr.States {
			if s.Dir == types.RecvOnly {
				fn.receives(instr, s.Chan, extracted(instr, n), s)
				n++
			}
		}
	case ssa.CallInstruction:
		c := fn.Program.Resolve(instr)
		for i, arg := range c.Args {
			key := fn.channelArg(arg)
			switch {
			case key == nil || c.Builtin != "" || i >= c.Captures:
			case c.Lit != nil && i < len(c.Lit.Params):
				fn.chans.links[key] = append(fn.chans.links[key], inParameter{c.Lit, i})
			default:
				fn.chans.open[key] = true
			}
		}
	case *ssa.Return:
		for _, r := range instr.Results {
			if key := fn.channelArg(r); key != nil {
				fn.chans.open[key] = true
			}
		}
	case *ssa.Store:
		fn.storesChannel(instr)
	case *ssa.MakeInterface:
		if key := fn.channelArg(instr.X); key != nil {
			fn.chans.open[key] = true
		}
	}
}

func (fn listener) channelArg(v ssa.Value) any {
	if _, ok := v.Type().Underlying().(*types.Chan); !ok {
		return nil
	}
	return channel(fn.Program, fn.f, v)
}

// storesChannel notes a channel that is kept under another name.
func (fn listener) storesChannel(s *ssa.Store) {
	if _, ok := s.Val.Type().Underlying().(*types.Chan); !ok {
		return
	}
	key := channel(fn.Program, fn.f, s.Val)
	if _, isVar := s.Addr.(*ssa.Alloc); isVar {
		return // a local name of it
	}
	if field := ssax.FieldVar(s.Addr); field != nil {
		if _, made := key.(*ssa.MakeChan); !made && !ssax.IsNil(s.Val) {
			fn.chans.open[field] = true // it came from elsewhere
		}
	}
	if key != nil {
		fn.chans.open[key] = true
	}
}

// received returns the value that is received, nil if it is dropped.
func received(recv *ssa.UnOp) ssa.Value {
	if !recv.CommaOk {
		return recv
	}
	return extracted(recv, 0)
}

func extracted(tuple ssa.Value, i int) ssa.Value {
	for _, ref := range *tuple.Referrers() {
		if e, ok := ref.(*ssa.Extract); ok && e.Index == i {
			return e
		}
	}
	return nil
}

// receives notes a receiver, and what it puts.
func (fn listener) receives(instr ssa.Instruction, ch, v ssa.Value, state *ssa.SelectState) {
	key := channel(fn.Program, fn.f, ch)
	if key == nil {
		return
	}
	var r receiver
	if v != nil {
		for i := range fn.puts {
			p := &fn.puts[i]
			if !p.certain || p.captured || flow.Counted(fn.Program, p.call.Instr) || p.call.Started() {
				continue
			}
			if path, ok := fn.pathFrom(v, p.arg); ok && fn.alwaysPut(instr, state, p) {
				r.puts = append(r.puts, path)
			}
		}
	}
	fn.chans.receivers[key] = append(fn.chans.receivers[key], r)
}

// pathFrom returns the path from a received value to what is put.
func (fn listener) pathFrom(v, arg ssa.Value) (string, bool) {
	root := fn.Program.Origin(arg)
	if root == v {
		return "", true
	}
	load := ssax.Load(root)
	if load == nil {
		return "", false
	}
	place, ok := fn.Program.Place(load.X)
	if !ok || place.Path == "" {
		return "", false
	}
	if place.Base == v {
		return place.Path, true
	}
	if alloc, isVar := place.Base.(*ssa.Alloc); isVar {
		if s := fn.Program.Stores(alloc); len(s.Whole) == 1 && s.Whole[0].Val == v && len(s.Part) == 0 {
			return place.Path, true
		}
	}
	return "", false
}

// alwaysPut reports whether every path from a receive on which there is something
// leads to a put.
func (fn listener) alwaysPut(instr ssa.Instruction, state *ssa.SelectState, p *put) bool {
	fn.walker.Budget = fn.budget
	fn.walker.GaveUp = false
	w := &drain{recv: instr, put: p.call.Instr, state: state}
	fn.walker.From(instr, w)
	return w.with > 0 && w.without == 0 && !fn.walker.GaveUp
}

// drain is a visitor that looks for the put of what was received.
type drain struct {
	recv, put     ssa.Instruction
	state         *ssa.SelectState
	with, without int
}

func (w *drain) Visit(instr ssa.Instruction, _ *paths.State) bool {
	switch {
	case instr == w.put:
		w.with++
		return false
	case instr == w.recv:
		w.without++
		return false
	}
	if _, ok := instr.(*ssa.Return); ok {
		w.without++
	}
	return true
}

func (w *drain) Merge(*ssa.Phi, ssa.Value, *paths.State) {}

// Branch leaves out the paths on which the channel is closed, or another case of
// a select was chosen.
func (w *drain) Branch(cond *ssa.If, taken bool, _ *paths.State) bool {
	if state := ssax.Chosen(cond.Cond); w.state != nil && state != nil && sameSelect(cond.Cond, w.recv) {
		return taken == (state == w.state)
	}
	if e, ok := cond.Cond.(*ssa.Extract); ok && ssa.Value(e.Tuple) == w.recv.(ssa.Value) && e.Index == 1 {
		return taken
	}
	return true
}

// given returns the paths of what is sent to a channel that all its receivers
// put.
func (c *channels) given(key any) []string {
	if key == nil {
		return nil
	}
	seen := make(map[any]bool)
	var all []receiver
	open := false
	var visit func(key any)
	visit = func(key any) {
		if seen[key] {
			return
		}
		seen[key] = true
		open = open || c.open[key]
		all = append(all, c.receivers[key]...)
		for _, next := range c.links[key] {
			visit(next)
		}
	}
	visit(key)
	if open || len(all) == 0 {
		return nil
	}
	var paths []string
	for _, path := range all[0].puts {
		everywhere := true
		for _, r := range all[1:] {
			found := false
			for _, other := range r.puts {
				found = found || other == path
			}
			everywhere = everywhere && found
		}
		if everywhere {
			paths = append(paths, path)
		}
	}
	return paths
}
