package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// starts learns which parameters are functions that run in a goroutine: go f(),
// go func() { f() }(), or passed to a function that does so.
func (l *learner) starts(c *flow.Call) {
	if !c.Started() {
		for i, arg := range c.Args {
			if i < c.Captures && c.Summary.Starts.Has(i) {
				l.s.Starts |= functions(l.function, arg)
			}
		}
		return
	}
	l.s.Starts |= functions(l.function, c.Instr.Common().Value)
	if c.Lit == nil {
		return
	}
	for instr := range ssax.Instrs(c.Lit) {
		if call, ok := instr.(ssa.CallInstruction); ok && !call.Common().IsInvoke() {
			l.s.Starts |= functions(l.function, call.Common().Value)
		}
	}
}

// functions returns the parameters that a function value is.
func functions(l *function, v ssa.Value) summary.Mask {
	if _, ok := v.Type().Underlying().(*types.Signature); !ok {
		return 0
	}
	if ssax.Load(v) != nil {
		v = l.p.Only(v)
	}
	prm, _ := v.(*ssa.Parameter)
	return summary.Bit(slices.Index(l.f.Params, prm)) // none of -1
}
