package lost

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// shadowed finds an object in a variable that hides another one of the same name, which a deferred
// literal ends and nothing ever sets: the object was to be in that one.
func shadowed(fn *scene.Function, w *keeper) []scene.Found {
	name := fn.Made[w.g.Value].Name
	for f := fn.F; f != nil && name != "" && len(w.puts) == 0; f = f.Parent() {
		for d := range ssax.Of[*ssa.Defer](f) {
			if lit := fn.Program.Resolve(d).Lit; lit != nil && lit.Parent() == f && endsUnset(fn.Program, lit, name) {
				e := fn.Event(events.Exit, d)
				e.How = events.Hidden
				return []scene.Found{w.ending(e)}
			}
		}
	}
	return nil
}

// endsUnset reports whether a literal calls a function that is named as one which ends something, with
// what a variable of the function around it holds that is never set.
func endsUnset(p *flow.Program, lit *ssa.Function, name string) bool {
	return flow.Any(p.Calls(lit), func(c *flow.Call) bool {
		if !names.IsRelease(c.Name()) || len(c.Args) == 0 {
			return false
		}
		load := ssax.Load(ssax.Strip(c.Args[0]))
		if load == nil {
			return false
		}
		place, ok := p.Place(load.X)
		variable, isVar := place.Base.(*ssa.Alloc)
		if !ok || !isVar || place.Path != "" || variable.Comment != name {
			return false
		}
		stores := p.Stores(variable)
		for _, s := range stores.Whole {
			if !ssax.IsNil(s.Val) {
				return false
			}
		}
		return !stores.Unknown
	})
}
