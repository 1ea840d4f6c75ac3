package alias

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// casts follows what is stored in a variable into reads under another type.
func (a spreader) casts(alloc *ssa.Alloc, v ssa.Value, info *Alias) {
	if info.Holder || !ssax.Textual(ssax.Pointee(alloc.Type())) {
		return
	}
	for _, ref := range *alloc.Referrers() {
		c, ok := ref.(*ssa.Convert)
		if !ok {
			continue
		}
		loads, _ := ssax.CastReads(c)
		for _, load := range loads {
			if ssax.Textual(load.Type()) {
				next := a.derive(load, v, info)
				next.never = next.never || len(a.p.Stores(alloc).Whole) > 1
			}
		}
	}
}
