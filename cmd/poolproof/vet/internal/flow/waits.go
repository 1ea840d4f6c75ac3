package flow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// Waits reports whether a call is of a function that is named as one that waits, or of a literal,
// or a deferred function, that calls such a function or receives.
func (c *Call) Waits(p *Program) bool {
	if names.IsJoin(c.Name()) {
		return true
	}
	if c.Lit == nil || c.Lit.Parent() == nil && !c.Deferred() {
		return false
	}
	for instr := range ssax.Instrs(c.Lit) {
		switch instr := instr.(type) {
		case *ssa.UnOp:
			if instr.Op == token.ARROW {
				return true
			}
		case *ssa.Select:
			return true
		case ssa.CallInstruction:
			if inner := p.Resolve(instr); names.IsJoin(inner.Name()) {
				return true
			}
		}
	}
	return false
}
