package infer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/directive"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// callbacks learns which parameters are functions to which objects are lent: they are
// called with what is put when they have returned.
func (l *learner) callbacks() {
	for i, prm := range l.f.Params {
		if _, ok := prm.Type().Underlying().(*types.Signature); !ok || i >= 64 {
			continue
		}
		for c := range l.p.Calls(l.f) {
			if c.Fn == nil && c.Lit == nil && c.Builtin == "" && l.isOnly(c.Instr.Common().Value, prm) {
				for j, arg := range c.Args[:c.Captures] {
					if l.putAfter(c.Instr, arg) {
						l.s.AddCallback(summary.Callback{Param: i, Arg: j, Lent: true})
					}
				}
			}
			for _, b := range c.Summary.Callbacks {
				if b.Param < c.Captures && l.isOnly(c.Args[b.Param], prm) {
					b.Param = i
					l.s.AddCallback(b)
				}
			}
		}
	}
}

// isOnly reports whether a value is a parameter.
func (l *learner) isOnly(v ssa.Value, prm *ssa.Parameter) bool {
	return l.p.Origin(v) == ssa.Value(prm)
}

// putAfter reports whether an argument of a call is put on each path from there to a return.
func (l *learner) putAfter(at ssa.CallInstruction, arg ssa.Value) bool {
	if _, started := at.(*ssa.Go); started || !ssax.HasPointers(arg.Type()) {
		return false
	}
	root := l.p.Origin(arg)
	puts := make(map[*ssa.BasicBlock]bool)
	for c := range l.p.Calls(l.f) {
		if !l.givesUp(&c, root) {
			continue
		}
		if c.Deferred() && ssax.Before(c.Instr, at) || c.Instr.Block() == at.Block() && ssax.Before(at, c.Instr) {
			return true
		}
		puts[c.Instr.Block()] = !c.Deferred()
	}
	return len(puts) > 0 && !returnsWithout(at.Block(), puts, make(map[*ssa.BasicBlock]bool))
}

// givesUp reports whether a call certainly puts an object.
func (l *learner) givesUp(c *flow.Call, root ssa.Value) bool {
	for i, arg := range c.Args {
		if i < c.Captures && c.Summary.Gives(i) && l.p.Origin(arg) == root {
			return true
		}
	}
	return false
}

// returnsWithout reports whether a path leads from a block to a return and through none of
// others.
func returnsWithout(from *ssa.BasicBlock, others, seen map[*ssa.BasicBlock]bool) bool {
	if _, ok := from.Instrs[len(from.Instrs)-1].(*ssa.Return); ok {
		return true
	}
	for _, b := range from.Succs {
		if others[b] || seen[b] {
			continue
		}
		seen[b] = true
		if returnsWithout(b, others, seen) {
			return true
		}
	}
	return false
}

// called notes what a directive says of what a parameter is called with.
func (l *learner) called(c directive.Called, b summary.Callback) {
	b.Param = named(l.f, c.Param)
	if b.Param < 0 || b.Param >= 64 {
		return
	}
	sig, ok := l.f.Params[b.Param].Type().Underlying().(*types.Signature)
	if !ok {
		return
	}
	for b.Arg = range sig.Params().Len() {
		if c.Arg < 0 || c.Arg == b.Arg {
			l.s.AddCallback(b)
		}
	}
}
