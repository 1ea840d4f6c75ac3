package infer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/directive"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// callbacks learns which parameters are functions to which objects are lent: they are
// called with what is put when they have returned.
func callbacks(l *function, s *summary.Summary) {
	for i, prm := range l.f.Params {
		if _, ok := prm.Type().Underlying().(*types.Signature); !ok || i >= 64 {
			continue
		}
		for c := range l.p.Calls(l.f) {
			if c.Fn == nil && c.Lit == nil && c.Builtin == "" && l.p.Origin(c.Instr.Common().Value) == ssa.Value(prm) {
				for j, arg := range c.Args[:c.Captures] {
					if putAfter(l, c.Instr, arg, names.IsYield(prm.Name())) {
						s.AddCallback(summary.Callback{Param: i, Arg: j, Lent: true})
					}
				}
			}
			for _, b := range c.Summary.Callbacks {
				if b.Param < c.Captures && l.p.Origin(c.Args[b.Param]) == ssa.Value(prm) {
					b.Param = i
					s.AddCallback(b)
				}
			}
		}
	}
}

// putAfter reports whether an argument of a call is put on each path from there to a return, or,
// if that is enough, on some.
func putAfter(l *function, at ssa.CallInstruction, arg ssa.Value, some bool) bool {
	if _, started := at.(*ssa.Go); started || !ssax.HasPointers(arg.Type()) {
		return false
	}
	root := l.p.Origin(arg)
	puts := make(map[*ssa.BasicBlock]bool)
	for c := range l.p.Calls(l.f) {
		for i, given := range c.Args[:c.Captures] {
			switch {
			case !c.Summary.Gives(i) || l.p.Origin(given) != root:
			case c.Deferred() && ssax.Before(c.Instr, at), c.Instr.Block() == at.Block() && ssax.Before(at, c.Instr):
				return true
			case !c.Deferred():
				if some && ssax.MayPrecede(at, c.Instr) {
					return true
				}
				puts[c.Instr.Block()] = true
			}
		}
	}
	return len(puts) > 0 && !returnsWithout(at.Block(), puts, make(map[*ssa.BasicBlock]bool))
}

// returnsWithout reports whether a path leads from a block to a return and through none of
// others.
func returnsWithout(from *ssa.BasicBlock, others, seen map[*ssa.BasicBlock]bool) bool {
	_, returns := from.Instrs[len(from.Instrs)-1].(*ssa.Return)
	for _, b := range from.Succs {
		if !returns && !others[b] && !seen[b] {
			seen[b] = true
			returns = returnsWithout(b, others, seen)
		}
	}
	return returns
}

// called notes what a directive says of what a parameter is called with.
func called(f *ssa.Function, s *summary.Summary, c directive.Called, b summary.Callback) {
	b.Param = named(f, c.Param)
	if b.Param < 0 || b.Param >= 64 {
		return
	}
	if sig, ok := f.Params[b.Param].Type().Underlying().(*types.Signature); ok {
		for b.Arg = range sig.Params().Len() {
			if c.Arg < 0 || c.Arg == b.Arg {
				s.AddCallback(b)
			}
		}
	}
}
