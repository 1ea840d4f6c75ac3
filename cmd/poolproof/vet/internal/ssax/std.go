package ssax

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Standard reports whether a method is of the standard library, whose interfaces forbid to keep
// what is passed.
func Standard(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return true
	}
	first, _, _ := strings.Cut(fn.Pkg().Path(), "/")
	return !strings.Contains(first, ".")
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
