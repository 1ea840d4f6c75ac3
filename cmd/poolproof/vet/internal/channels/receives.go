package channels

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// receives notes a receiver, and what it puts.
func (fn listener) receives(instr ssa.Instruction, ch, v ssa.Value, state *ssa.SelectState) {
	key := Key(fn.Program, ch)
	if key == nil {
		return
	}
	var r receiver
	if v != nil {
		for i := range fn.Puts {
			p := &fn.Puts[i]
			if !p.Certain || p.Captured || flow.Counted(fn.Program, p.Call.Instr) || p.Call.Started() {
				continue
			}
			if path, ok := fn.pathFrom(v, p.Arg); ok && fn.alwaysPut(instr, v, state, p) {
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

// alwaysPut reports whether every path from a receive of v on which there is something
// leads to a put, or leaves it out because it is not fit to be kept.
func (fn listener) alwaysPut(instr ssa.Instruction, v ssa.Value, state *ssa.SelectState, p *track.Put) bool {
	w := &drain{
		recv: instr, put: p.Call.Instr, state: state, program: fn.Program,
		reach: ssax.Reaching(map[ssa.Instruction]bool{p.Call.Instr: true}, instr),
		is:    func(x ssa.Value) bool { return fn.Program.Origin(x) == v },
	}
	return fn.Whole().From(instr, w) && w.with > 0 && w.without == 0
}

// drain is a visitor that looks for the put of what was received.
type drain struct {
	paths.Everywhere
	recv, put     ssa.Instruction
	state         *ssa.SelectState
	program       *flow.Program
	reach         map[*ssa.BasicBlock]bool // from where the put is reached
	is            func(ssa.Value) bool     // what was received
	with, without int
}

// Visit ends a path at the put, and where there is another round or a return.
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

// Branch leaves out the paths on which the channel is closed, or another case of
// a select was chosen, on which nil was received, and on which what was received is not fit
// to be kept.
func (w *drain) Branch(cond *ssa.If, taken bool, _ *paths.State) bool {
	if state := ssax.Chosen(cond.Cond); w.state != nil && state != nil && ssax.Choosing(cond.Cond) == w.recv {
		return taken == (state == w.state)
	}
	if e, ok := cond.Cond.(*ssa.Extract); ok && ssa.Value(e.Tuple) == w.recv.(ssa.Value) && e.Index == 1 {
		return taken
	}
	succ, other := ssax.Edge(cond, taken)
	again := succ == w.recv.Block() // the next round
	return w.reach[succ] && !again || !w.reach[other] || !(flow.Conditions{Program: w.program, Object: w.is}).About(cond.Cond) && !w.isNil(cond.Cond, taken)
}

// isNil reports whether a condition says that nil was received.
func (w *drain) isNil(cond ssa.Value, value bool) bool {
	x, isNil := ssax.NilTest(cond, value)
	return isNil && w.is(x)
}
