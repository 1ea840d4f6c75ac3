package lost

import (
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// endsHolder reports whether a call puts what a struct holds that has a pooled
// object in it, or is of a method of the struct that is named as one that does.
func (w *fate) endsHolder(c *flow.Call) (ends bool) {
	holder := w.g.Call.Summary.Holders.Has(track.ResultIndex(w.g.Value))
	if w.closes(c) && (holder || slices.ContainsFunc(c.Summary.Fields, func(e summary.FieldEffect) bool { return e.Puts && e.Param == 0 })) {
		return true // it may do so under a condition of its own
	}
	if !holder {
		return false
	}
	w.code.Each(c, func(place memory.Var, e summary.FieldEffect) bool {
		ends = ends || e.Puts && (place.Base == w.g.Value || w.al.IsWhole(place.Base) || w.al.Captured(place.Base))
		return !ends
	})
	return ends || c.Lit != nil && c.Lit.Parent() == w.code.F && flow.Any(w.code.Program.Calls(c.Lit), w.closes) // the literal calls such a method
}

// closes reports whether a call is of a method of the object that is named as one
// that ends it.
func (w *fate) closes(c *flow.Call) bool {
	if !flow.IsMethod(c) || c.Invoke || !names.IsRelease(c.Name()) || len(c.Args) == 0 {
		return false
	}
	info := w.al.Of(c.Args[0])
	return info != nil && !info.Holder
}
