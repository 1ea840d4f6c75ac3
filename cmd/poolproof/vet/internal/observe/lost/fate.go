package lost

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// fate tells of single instructions whether they end the object that a get returned, and
// of conditions whether there is an object at all.
type fate struct {
	code    *track.Code
	g       track.Get
	al      *alias.Set
	release ssa.Value // the function that the getter returned to end the object, or nil

	guessed map[ssa.Instruction]bool // hand-overs to code that is not known
	within  map[*ssa.Function]end    // what literals do with the object: see literal
}

// release returns the function that a getter returned beside an object, to end
// it.
func release(g track.Get) ssa.Value {
	e, ok := g.Value.(*ssa.Extract)
	if !ok {
		return nil
	}
	for _, lease := range g.Call.Summary.Leases {
		if lease.From.Has(e.Index) {
			return g.Call.Result(lease.To)
		}
	}
	return nil
}

func (w *fate) whole(v ssa.Value) bool {
	info := w.al.Of(v)
	return info != nil && !info.Holder && info.Field == flow.None
}

// stored reports whether a callee stores argument i in an argument that is not
// the function's own.
func (w *fate) stored(c *flow.Call, i int) bool {
	return slices.ContainsFunc(summary.With(c.Summary.Into, i), func(into summary.Flow) bool {
		return into.To < len(c.Args) && !w.al.Has(c.Args[into.To])
	})
}
