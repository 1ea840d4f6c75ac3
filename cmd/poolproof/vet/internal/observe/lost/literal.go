package lost

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
)

// handsToLiteral reports whether a call gets the object and, with it, a function of
// the package that puts one of its parameters: who is called will pass the one to
// the other, when the time has come.
func handsToLiteral(c *flow.Call, al *alias.Set, p *flow.Program) bool {
	gets, puts := false, false
	for i, arg := range c.Args {
		if i >= c.Captures {
			break
		}
		if al.Of(arg) != nil {
			gets = true
		}
		if lit, ok := arg.(*ssa.Function); ok {
			s := p.Own(lit)
			for prm := range lit.Params {
				puts = puts || s != nil && (s.Gives(prm) || (s.MayPut|s.RefPut).Has(prm))
			}
		}
	}
	return gets && puts
}
