package scene

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// Passed is a parameter of a literal that goes into a call, and what the callee says of it.
type Passed struct {
	Param *ssa.Parameter
	To    string // the callee
	summary.Callback
}

// passed returns what is known of the parameters of a literal because of the call that it
// is an argument of, where that is all that becomes of it.
func (fn *Function) passed() (list []Passed) {
	if fn.F.Parent() == nil {
		return nil
	}
	is := func(v ssa.Value) bool {
		made, ok := v.(*ssa.MakeClosure)
		return ok && made.Fn == fn.F || v == ssa.Value(fn.F)
	}
	for c := range fn.Program.Calls(fn.F.Parent()) {
		i := slices.IndexFunc(c.Args[:c.Captures], is)
		if i < 0 {
			continue
		}
		for _, b := range c.Summary.Callbacks {
			if b.Param == i && b.Arg < len(fn.F.Params) {
				list = append(list, Passed{fn.F.Params[b.Arg], c.Name(), b})
			}
		}
	}
	return list
}

// Shown is a result that others read at the same time.
type Shown struct {
	Value ssa.Value
	Call  ssa.CallInstruction
	By    string // the callee
}

// shown returns the results of calls that nobody may write.
func (fn *Function) shown() (list []Shown) {
	for c := range fn.Program.Calls(fn.F) {
		for r := 0; c.Summary.ReadOnly>>r != 0; r++ {
			if v := c.Result(r); v != nil && c.Summary.ReadOnly.Has(r) {
				list = append(list, Shown{v, c.Instr, c.Name()})
			}
		}
	}
	return list
}
