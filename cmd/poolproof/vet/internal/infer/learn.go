package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

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

// put is an instruction that gives a parameter back.
type put struct {
	instr   ssa.CallInstruction
	certain bool
	counted bool // by a count of references
}

// Declare adds to a summary what directives say of a function: what it gives its caller, what it takes
// over, and what it only borrows. Index returns the number of a parameter by its name, -1 if there is none.
func Declare(s *summary.Summary, d Directives, fn *types.Func, index func(name string) int) {
	for i, v := range slices.Collect(fn.Signature().Results().Variables()) {
		switch _, isStruct := v.Type().Underlying().(*types.Struct); {
		case !d.Gives(fn) || !ssax.HasPointers(v.Type()) || ssax.IsError(v.Type()):
		case isStruct:
			s.Holders |= summary.Bit(i)
		default:
			s.Getter |= summary.Bit(i)
		}
	}
	for _, o := range d.Owns(fn) {
		i := index(o.Param)
		switch {
		case i < 0 || len(o.Fields) > 0: // what fields hold is for package states
		case o.Told >= 0:
			s.MayPut |= summary.Bit(i)
			s.Told = append(s.Told, summary.Told{Param: i, Result: o.Told, Value: true})
		default:
			s.Owns |= summary.Bit(i)
			s.Release |= summary.Bit(i)
		}
	}
	for _, o := range d.Borrows(fn) {
		s.Borrows |= summary.Bit(index(o.Param))
	}
}

func (l *learner) directives(d Directives) {
	fn, ok := l.f.Object().(*types.Func)
	if !ok {
		return
	}
	Declare(l.s, d, fn, func(name string) int { return named(l.f, name) })
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
	cutter{l.function}.learn(l.s, l.returns)
	l.releases()
	l.fills()
	l.keepers()
	l.lingers()
	callbacks(l.function, l.walker, l.s)
	listPool{l.p, l.f}.learn(l.s)
	// What a directive says is not contradicted by what the code seems to do.
	l.s.Retains &^= l.s.Borrows
	l.s.Lends &^= l.s.Borrows
	l.s.Passes = slices.DeleteFunc(l.s.Passes, func(p summary.Passed) bool { return l.s.Borrows.Has(p.Param) })
}
