package ssax

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/stdlib"
)

// Standard reports whether a method is of the standard library, whose interfaces forbid to keep
// what is passed.
func Standard(fn *types.Func) bool {
	return fn.Pkg() == nil || stdlib.Has(fn.Pkg().Path())
}

// Clock returns the function that a channel comes from if the channel says that time is up, or
// that all are to stop; otherwise "".
func Clock(ch ssa.Value) string {
	call, ok := ch.(*ssa.Call)
	if !ok {
		return ""
	}
	fn := call.Call.Method
	if callee := call.Call.StaticCallee(); callee != nil {
		fn, _ = callee.Object().(*types.Func)
	}
	if fn != nil {
		switch name := fn.FullName(); name {
		case "time.After", "time.Tick", "(context.Context).Done":
			return name
		}
	}
	return ""
}
