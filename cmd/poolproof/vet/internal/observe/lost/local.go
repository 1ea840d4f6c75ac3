package lost

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// endsWithPool reports whether the pool of a get was made in this function, and only the function
// and its goroutines use it: where the function returns, what was lost is lost with the pool.
func endsWithPool(fn *scene.Function, g track.Get) bool {
	if !g.Call.IsPoolGet() {
		return false
	}
	pool := g.Call.Args[0]
	if load := ssax.Load(pool); load != nil { // of a variable that literals know
		if variable, ok := load.X.(*ssa.Alloc); ok && len(fn.Program.Stores(variable).Whole) == 1 {
			pool = fn.Program.Stores(variable).Whole[0].Val
		}
	}
	made, ok := fn.Program.Origin(pool).(*ssa.Alloc)
	return ok && staysInside(fn, made, map[ssa.Value]bool{})
}

// staysInside reports whether a pool is only got from and put into, its New is set, and it stays in
// variables and literals of the function that are only called or started.
func staysInside(fn *scene.Function, v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] || v.Referrers() == nil {
		return true
	}
	seen[v] = true
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.FieldAddr, *ssa.DebugRef:
		case *ssa.UnOp:
			if !staysInside(fn, ref, seen) {
				return false
			}
		case *ssa.Store:
			variable, ok := ref.Addr.(*ssa.Alloc)
			if ref.Val == v && (!ok || !staysInside(fn, variable, seen)) {
				return false
			}
		case *ssa.MakeClosure:
			if !onlyRuns(ref) || !staysInside(fn, captured(ref, v), seen) {
				return false
			}
		case ssa.CallInstruction:
			if c := fn.Program.Resolve(ref); !c.IsPool() {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// captured returns how a literal calls a value that it captures.
func captured(made *ssa.MakeClosure, v ssa.Value) ssa.Value {
	for i, b := range made.Bindings {
		if b == v {
			return made.Fn.(*ssa.Function).FreeVars[i]
		}
	}
	return v
}
