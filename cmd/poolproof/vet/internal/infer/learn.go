package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// learner learns what one function does. It looks at each instruction once and notes what
// that does with parameters and with pooled objects; then each step turns what was noted
// into a part of the summary.
type learner struct {
	*pooled
	s      *summary.Summary
	walker *paths.Walker

	puts    map[int][]put // of parameters
	returns []*ssa.Return
	boxes   []box
	keeps   []keep
	runs    []running
}

// keep is an instruction that stores a parameter where it stays.
type keep struct {
	index int
	instr ssa.Instruction
}

// box is a parameter that is stored in a pooled object which the function got.
type box struct {
	index int
	root  ssa.Value
	at    ssa.Instruction
	addr  ssa.Value
}

// put is an instruction that gives a parameter back.
type put struct {
	instr   ssa.CallInstruction
	certain bool
	counted bool // by a count of references
}

// param is a parameter that a value comes from.
type param struct {
	index int
	flow.Origin
}

func (l *learner) directives(d Directives) {
	fn, ok := l.f.Object().(*types.Func)
	if !ok {
		return
	}
	for _, o := range d.Owns(fn) {
		i := named(l.f, o.Param)
		switch {
		case i < 0 || len(o.Fields) > 0: // what fields hold is for package states
		case o.Told >= 0:
			l.s.MayPut |= summary.Bit(i)
			l.s.Told = append(l.s.Told, summary.Told{Param: i, Result: o.Told, Value: true})
		default:
			l.s.Owns |= summary.Bit(i)
		}
	}
	for _, o := range d.Borrows(fn) {
		l.s.Borrows |= summary.Bit(named(l.f, o.Param))
	}
	for _, c := range d.Lends(fn) {
		called(l.f, l.s, c, summary.Callback{Lent: true})
	}
	for _, c := range d.ReadOnly(fn) {
		if c.Param == "" {
			l.s.ReadOnly = summary.Bit(l.f.Signature.Results().Len()) - 1
			continue
		}
		called(l.f, l.s, c, summary.Callback{ReadOnly: true})
	}
}

func (l *learner) learn() {
	l.puts = make(map[int][]put)
	for instr := range ssax.Instrs(l.f) {
		l.detach(instr)
		switch instr := instr.(type) {
		case ssa.CallInstruction:
			l.call(instr)
		case *ssa.Store:
			l.store(instr)
		case *ssa.MapUpdate:
			l.stored(instr, instr.Value, instr.Map)
			l.stored(instr, instr.Key, instr.Map)
		case *ssa.Send, *ssa.Select:
			for s := range ssax.Sends(instr) {
				l.retain(s.Value)
				l.runs = append(l.runs, l.runningAfter(instr, s))
			}
		case *ssa.MakeClosure:
			l.closure(instr)
		case *ssa.Return:
			if instr.Block() != l.f.Recover { // what a recovered panic leaves
				l.returns = append(l.returns, instr)
			}
		}
	}
	l.results()
	l.releases()
	l.fills()
	l.keepers()
	l.lingers()
	callbacks(l, l.s)
	listPool{l.p, l.f}.learn(l.s)
	// What a directive says is not contradicted by what the code seems to do.
	l.s.Retains &^= l.s.Borrows
	l.s.Lends &^= l.s.Borrows
	l.s.Passes = slices.DeleteFunc(l.s.Passes, func(p summary.Passed) bool { return l.s.Borrows.Has(p.Param) })
	l.s.Release |= l.s.Owns
}
