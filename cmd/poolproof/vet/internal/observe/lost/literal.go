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
		if lit := functionValue(arg); lit != nil {
			s := p.Own(lit)
			for prm := range lit.Params {
				puts = puts || s != nil && (s.Gives(prm) || (s.MayPut|s.RefPut).Has(prm))
			}
		}
	}
	return gets && puts
}

// functionValue returns the function that an argument is, nil if that is not known.
func functionValue(v ssa.Value) *ssa.Function {
	switch v := v.(type) {
	case *ssa.Function:
		return v
	case *ssa.MakeClosure:
		fn, _ := v.Fn.(*ssa.Function)
		return fn
	case *ssa.ChangeType:
		return functionValue(v.X)
	}
	return nil
}
